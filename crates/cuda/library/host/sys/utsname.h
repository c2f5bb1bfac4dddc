// What a program runs on, as it is told: a Linux on x86-64.
#pragma once
struct utsname {
    char sysname[65];
    char nodename[65];
    char release[65];
    char version[65];
    char machine[65];
    char domainname[65];
};
inline int uname(struct utsname *of)
{
    *of = utsname{"Linux", "localhost", "6.1.0", "#1 SMP", "x86_64", "(none)"};
    return 0;
}
