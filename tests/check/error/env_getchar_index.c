/* The end of the input is below the array. */
#include <stdio.h>
int main(void) {
    static int seen[256];
    int c = getchar();
    return seen[c]; //~ ERROR out-of-bounds
}
