#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
namespace fs = std::filesystem;
static void parts(const char *s) {
    fs::path p = s;
    std::cout << p << " | " << p.filename() << p.stem() << p.extension() << p.parent_path() << p.lexically_normal() << p.is_absolute() << p.has_extension() << "\n";
}
int main() {
    for (const char *s : {"a/b.txt", "a/b/", "/", "/a", "..", ".", ".bashrc", "a/.b.c", "a//b/../c", "x.tar.gz", "", "a/..", "../a", "a/./b", "/..", "./a"}) parts(s);
    fs::path p = fs::path("dir") / "sub" / "file.txt";
    std::cout << p.string() << ' ' << fs::path(p).replace_extension("png").string() << ' ' << fs::path(p).replace_filename("z").string() << ' ' << fs::path(p).replace_extension().string() << "\n";
    for (auto &part : p) std::cout << part << ' ';
    std::cout << "\n";
    std::cout << fs::exists("dir") << fs::create_directories(p.parent_path()) << fs::create_directories("dir/sub") << fs::is_directory("dir/sub") << fs::create_directory("dir") << "\n";
    std::ofstream(p) << "hello";
    std::ofstream out(fs::path("dir") / "b.txt"); out << "12"; out.close();
    std::cout << fs::file_size(p) << fs::is_regular_file(p) << fs::exists(p) << "\n";
    fs::copy_file(p, "dir/copy.txt");
    try { fs::copy_file(p, "dir/copy.txt"); } catch (const fs::filesystem_error &e) { std::cout << e.what() << "\n"; }
    fs::copy_file(p, "dir/copy.txt", fs::copy_options::overwrite_existing);
    std::set<std::string> names;
    for (const auto &entry : fs::directory_iterator("dir")) names.insert(entry.path().filename().string() + (entry.is_directory() ? "/" : ""));
    for (auto const &entry : fs::recursive_directory_iterator("dir")) if (entry.path().extension() == ".txt") names.insert(entry.path().string());
    for (auto &n : names) std::cout << n << ' ';
    std::cout << "\n";
    try { fs::file_size("nosuch"); } catch (const std::exception &e) { std::cout << e.what() << "\n"; }
    try { for (auto &e : fs::directory_iterator("nosuch")) std::cout << e; } catch (const fs::filesystem_error &e) { std::cout << e.what() << ' ' << e.path1() << ' ' << e.code().value() << "\n"; }
    std::error_code ec;
    std::cout << fs::file_size("nosuch", ec) << ' ' << ec.message() << ' ' << fs::remove("nosuch") << fs::remove("dir/copy.txt") << "\n";
    try { fs::rename("nosuch", "x"); } catch (const fs::filesystem_error &e) { std::cout << e.what() << "\n"; }
    try { fs::create_directory("q/w"); } catch (const fs::filesystem_error &e) { std::cout << e.what() << "\n"; }
    try { fs::create_directories("dir/b.txt/w"); } catch (const fs::filesystem_error &e) { std::cout << e.what() << "\n"; }
    fs::rename("dir/b.txt", "dir/c.txt");
    fs::path here = fs::current_path();
    fs::current_path("dir");
    std::cout << fs::exists("c.txt") << (fs::current_path() == here / "dir") << (fs::absolute("c.txt") == here / "dir" / "c.txt") << "\n";
    fs::current_path("..");
    std::string text = fs::path("dir");
    std::cout << text << (fs::path("a") == "a") << (fs::path("a") < fs::path("b")) << fs::is_empty("dir") << fs::remove_all("dir") << fs::exists("dir") << "\n";
}
