//~ SAFE
/* What the program writes itself is plain memory. */
#include <stddef.h>

volatile int state;
volatile int given = 2;

int main(void)
{
    volatile int local[2] = {1, 2};
    int *p = NULL;
    state = 1;
    if (state != 1 || given != 2 || local[1] != 2)
        return *p;
    return 0;
}
