// A source that includes all of the library, as g++ has it. g++ prints the same.
#include <bits/stdc++.h>
using namespace std;
int main()
{
    vector<bool> flags(5);
    flags[1] = true;
    flags.flip();
    map<string, int> count;
    istringstream text("a b a");
    for (string word; text >> word;)
        count[word]++;
    printf("%d%d %d %d\n", (int)flags[0], (int)flags[1], count["a"], __gcd(12, 18));
}
