/* The old block is freed although realloc has done so. */
#include <stdlib.h>

int main(void)
{
    int *v = malloc(sizeof *v);
    *v = 1;
    int *w = realloc(v, 100 * sizeof *w);
    free(w);
    free(v); //~ ERROR double-free
    return 0;
}
