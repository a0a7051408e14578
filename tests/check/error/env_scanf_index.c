/* A number that was read is no index. */
// needs certain inputs
// not seen by sanitizers: needs input
#include <stdio.h>
int main(void) {
    int a[4] = {0}, i = 0;
    if (scanf("%d", &i) != 1)
        return 0;
    return a[i]; //~ ERROR out-of-bounds
}
