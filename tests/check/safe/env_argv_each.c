//~ SAFE
/* Each argument is a text; there are argc of them. */
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    size_t all = 0;
    for (int i = 1; i < argc; i++)
        all += strlen(argv[i]);
    printf("%zu\n", all);
    return 0;
}
