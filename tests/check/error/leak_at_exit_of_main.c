/* A block is still held by a local when main ends. */
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    int v = *p;
    return v - 1; //~ ERROR leak
}
