// What is not done with virtual bases, each refused by name.
struct Base { int b = 1; };
struct Left : virtual Base { Left(int) {} };
struct Right : virtual Base {};
struct Whole : Left, Right { using Left::Left; };
int main()
{
    Right right;
    Base *base = &right;
    Right *back = static_cast<Right *>(base);
    Right &also = static_cast<Right &>(*base);
    int Right::*member = &Base::b;
    Whole whole(3);
    return back->b + also.b + right.*member + whole.b;
}
