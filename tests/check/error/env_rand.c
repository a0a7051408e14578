/* A random number may be any. */
// needs certain inputs
// not seen by sanitizers: one number out of many
#include <stdlib.h>
int main(void) {
    int a[4] = {0};
    int i = rand();
    if (i == 1234567)
        i = 4;
    else
        i = 0;
    return a[i]; //~ ERROR out-of-bounds
}
