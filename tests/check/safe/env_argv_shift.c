//~ SAFE
/* Arguments are taken one by one by a function. */
#include <stdio.h>
#include <string.h>
static const char *next(int *left, char ***rest) {
    if (*left == 0)
        return 0;
    --*left;
    return *(*rest)++;
}
int main(int argc, char **argv) {
    const char *s;
    while ((s = next(&argc, &argv)))
        if (!strcmp(s, "-x"))
            puts("x");
    return 0;
}
