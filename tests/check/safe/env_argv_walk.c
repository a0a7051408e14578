//~ SAFE
/* A walk over the characters of the program's name. */
#include <stdio.h>
int main(int argc, char **argv) {
    const char *base = argv[0];
    for (const char *s = argv[0]; *s; s++)
        if (*s == '/')
            base = s + 1;
    printf("%s %d\n", base, argc);
    return 0;
}
