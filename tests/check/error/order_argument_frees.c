/* Arguments are evaluated in any order; gcc goes from right to left. */
#include <stdlib.h>

static int use(int value, int done)
{
    return value + done;
}

static int del(int *p)
{
    free(p);
    return 0;
}

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 1;
    *p = 3;
    return use(*p, del(p)); //~ ERROR use-after-free
}
