/* The left side is found before or after the call that replaces the block. */
// seen by sanitizers by chance: gcc evaluates either side first
#include <stdlib.h>

static int *numbers;

static int grow(void)
{
    int *more = calloc(2, sizeof *more);
    if (!more)
        exit(1);
    free(numbers);
    numbers = more;
    return 1;
}

int main(void)
{
    numbers = calloc(1, sizeof *numbers);
    if (!numbers)
        return 1;
    numbers[0] = grow(); //~ ERROR use-after-free
    free(numbers);
    return 0;
}
