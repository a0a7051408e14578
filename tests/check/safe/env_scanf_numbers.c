//~ SAFE
/* Numbers are used only if they were read. */
#include <stdio.h>
int main(void) {
    int a, b;
    if (scanf("%d %d", &a, &b) != 2)
        return 1;
    if (b != 0)
        printf("%d\n", a / 2 + b);
    return 0;
}
