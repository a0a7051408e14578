/* Nothing was read. */
#include <stdio.h>
int main(void) {
    int n;
    scanf("%d", &n);
    if (n > 3) //~ ERROR uninitialised
        return 1;
    return 0;
}
