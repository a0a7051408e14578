//~ SAFE
/* The arguments end with a null pointer. */
#include <stdio.h>
int main(int argc, char **argv) {
    while (*++argv)
        puts(*argv);
    return argc > 100;
}
