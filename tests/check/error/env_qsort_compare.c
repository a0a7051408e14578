/* The comparison looks behind the array. */
#include <stdlib.h>
static int compare(const void *a, const void *b) {
    const int *x = a, *y = b;
    return (x[1] > y[0]) - (x[1] < y[0]); //~ ERROR out-of-bounds
}
int main(void) {
    int *a = malloc(2 * sizeof *a);
    a[0] = 2;
    a[1] = 1;
    qsort(a + 1, 1, sizeof *a, compare);
    int r = compare(a + 1, a);
    free(a);
    return r > 5;
}
