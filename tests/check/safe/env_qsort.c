//~ SAFE
/* Sorting and searching with a comparison of the program. */
#include <stdio.h>
#include <stdlib.h>
static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
int main(void) {
    int a[10], key = 3;
    for (int i = 0; i < 10; i++)
        a[i] = rand() % 7;
    qsort(a, 10, sizeof *a, compare);
    int *p = bsearch(&key, a, 10, sizeof *a, compare);
    if (p)
        printf("%d\n", *p);
    return 0;
}
