/* The part added by realloc has no value yet. */
#include <stdlib.h>

int main(void)
{
    int *v = calloc(2, sizeof *v), positive = 0;
    v = realloc(v, 4 * sizeof *v);
    for (int i = 0; i < 4; i++)
        if (v[i] > 0) //~ ERROR uninitialised
            positive++;
    free(v);
    return positive > 4;
}
