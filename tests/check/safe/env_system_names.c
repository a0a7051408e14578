//~ SAFE
/* Users, the terminal, names of the system: results may be missing. */
#include <pwd.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>
int main(void) {
    struct passwd *pw = getpwuid(getuid());
    if (pw)
        printf("%s %s\n", pw->pw_name, pw->pw_dir);
    char host[64];
    if (gethostname(host, sizeof host) == 0)
        puts(host);
    struct utsname u;
    if (uname(&u) == 0 && isatty(0))
        return 1;
    return 0;
}
