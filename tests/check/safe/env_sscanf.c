//~ SAFE
/* Two numbers from a text. */
#include <stdio.h>
int main(int argc, char **argv) {
    int x = 0, y = 0;
    if (argc > 1 && sscanf(argv[1], "%d,%d", &x, &y) == 2)
        printf("%d\n", x / 2 - y / 2);
    return 0;
}
