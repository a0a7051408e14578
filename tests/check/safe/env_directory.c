//~ SAFE
/* The names in a directory. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    DIR *d = opendir(".");
    if (!d)
        return 1;
    struct dirent *e;
    while ((e = readdir(d))) {
        char *name = strdup(e->d_name);
        puts(name);
        free(name);
    }
    closedir(d);
    return 0;
}
