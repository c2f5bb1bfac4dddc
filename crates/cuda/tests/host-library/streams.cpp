#include <iostream>
#include <iomanip>
#include <sstream>
#include <fstream>
#include <vector>
#include <string>
#include <algorithm>
#include <numeric>
#include <array>
#include <iterator>
using namespace std;
struct P { int x, y; friend ostream &operator<<(ostream &o, const P &p) { return o << '(' << p.x << ", " << p.y << ')'; } };
int main() {
    cout << 1 << ' ' << -2L << ' ' << 3u << ' ' << 4.5 << ' ' << 1e10 << ' ' << 1.0f/3 << ' ' << true << ' ' << "abc" << string(" def") << endl;
    cout << boolalpha << true << noboolalpha << false << hex << 255 << ' ' << showbase << 255 << ' ' << -1 << ' ' << (short)-1 << oct << ' ' << 8 << ' ' << 0 << dec << noshowbase << '\n';
    cout << setw(8) << 42 << '|' << left << setw(8) << 42 << '|' << internal << setw(8) << -42 << '|' << right << setfill('0') << setw(8) << 42 << setfill(' ') << '|' << endl;
    cout << fixed << setprecision(3) << 3.14159 << ' ' << scientific << 31415.9 << ' ' << defaultfloat << 3.14159265 << ' ' << setprecision(10) << 3.14159265358979 << '\n';
    cout << setprecision(6) << showpoint << 1.0 << noshowpoint << ' ' << showpos << 5 << ' ' << 5.5 << ' ' << 5u << noshowpos << uppercase << hex << 255 << ' ' << scientific << 1e5 << nouppercase << dec << defaultfloat << endl;
    cout << hexfloat << 1.5 << defaultfloat << ' ' << 1.0/0 << ' ' << -1.0/0 << ' ' << 0.0/0 << ' ' << 1e300 << ' ' << fixed << 1e200 << defaultfloat << '\n';
    cout << P{1, 2} << ' ' << (void *)0 << ' ' << (void *)0x1234 << ' ' << 'c' << (unsigned char)'d' << '\n';
    cout << setw(10) << "right" << '|' << left << setw(10) << string("left") << '|' << right << setw(3) << "toolong" << '\n';
    vector<int> v{5, 3, 9, 1};
    for (auto x : v) cout << x << ' ';
    copy(v.begin(), v.end(), ostream_iterator<int>(cout, ", ")); cout << endl;
    stringstream ss("12 abc 3.5e2 -7 0x1f true 99999999999 z");
    int a; string s; double d; ss >> a >> s >> d; cout << a << s << d; int b; ss >> b; cout << b; ss >> hex >> b; cout << ' ' << b << dec; bool t; ss >> boolalpha >> t; cout << t << ' ';
    ss >> dec >> b; cout << b << ss.fail() << ss.eof() << '\n'; ss.clear(); ss >> s; cout << s << ss.eof() << bool(ss >> s) << endl;
    ostringstream os; os << "x=" << 5 << setw(4) << 7; cout << os.str() << ' ' << os.str().size() << '\n'; os.str(""); os << "new"; cout << os.str() << endl;
    { ofstream f("x.txt"); f << "line one\nline two\n3 4.5\n"; if (!f) cout << "bad"; }
    { ifstream f("x.txt"); string l; while (getline(f, l)) cout << '[' << l << ']'; cout << f.eof() << f.fail() << endl; f.clear(); f.seekg(0, ios::end); cout << f.tellg() << '\n'; f.seekg(9); f >> s; cout << s << endl; }
    { ifstream f("x.txt", ios::binary); string all((istreambuf_iterator<char>(f)), istreambuf_iterator<char>()); cout << all.size() << all; }
    { ifstream f("/nonexistent"); cout << f.is_open() << !f << f.fail() << endl; int q = 7; f >> q; cout << q << endl; }
    { fstream f("x.txt", ios::in | ios::out | ios::app); f << "appended"; f.seekg(0); string w; int n = 0; while (f >> w) n++; cout << n << w << endl; }
    { ofstream f("y.bin", ios::binary); double z[3] = {1, 2, 3}; f.write((char *)z, sizeof z); f.close(); ifstream g("y.bin", ios::binary | ios::ate); cout << g.tellg() << ' '; g.seekg(0); double y[4]; g.read((char *)y, sizeof y); cout << g.gcount() << y[2] << g.eof() << '\n'; }
    istringstream is("a,b,,c\nq w\n"); while (getline(is, s, ',')) cout << '<' << s << '>'; cout << endl;
    istringstream num("1e 2"); d = 9; num >> d; cout << d << num.fail() << endl;
    istringstream n2("  -5 +6 007 1.2.3 .5 5. 1e400 -1e400"); unsigned u; n2 >> u; cout << u; n2 >> a; cout << ' ' << a; n2 >> a; cout << ' ' << a; n2 >> d; cout << ' ' << d; n2 >> d; cout << ' ' << d;n2 >> d; cout << ' ' << d;n2 >> d; cout << ' ' << d; n2 >> d; cout << ' ' << d << n2.fail() << endl; 
    istringstream n3("300000 70000 -70000 18446744073709551616"); short h; n3 >> h; cout << h << n3.fail(); n3.clear(); n3 >> h; cout << h; n3.clear(); n3 >> h; cout << h; n3.clear(); unsigned long ul; n3 >> ul; cout << ul << endl;
    istringstream n4("hello world"); char c; n4 >> c; cout << c; n4.get(c); cout << c << (char)n4.peek(); n4.unget(); cout << (char)n4.get(); n4.ignore(3); n4 >> noskipws >> c; cout << '<' << c << '>'; char buf[20]; n4 >> skipws >> setw(4) >> buf; cout << buf << endl;
    cout << quoted("say \"hi\"") << ' ' << setbase(16) << 30 << setbase(10) << endl;
    cout << setw(6) << true << setw(6) << 'x' << setw(8) << fixed << setprecision(2) << 2.345 << setw(12) << scientific << 12345.678 << endl;
    streambuf *old = cout.rdbuf(os.rdbuf()); cout << "captured"; cout.rdbuf(old); cout << os.str() << endl;
    cout << (ostringstream() << "tmp" << 5).str() << endl;
    printf("printf between "); cout << "cout" << endl;
    cout.precision(3); cout.width(10); cout << defaultfloat << 1234567.0 << endl; cout.setf(ios::fixed, ios::floatfield); cout << 1.0 << ' ' << cout.flags() % 2 << endl;
    string line; cout << "reading" << endl; while (getline(cin, line)) cout << line.size() << ';'; cout << cin.eof() << endl;
    cerr << "err " << 5 << endl; clog << "log\n";
}
