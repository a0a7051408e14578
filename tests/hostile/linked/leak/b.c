#include <stdlib.h>

int keep(int n)
{
    int *p = malloc(sizeof *p);
    if (p)
        *p = n;
    return n;
}
