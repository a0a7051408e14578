/* Only with the second argument first and the first one last is the pointer null when it is read. */
// not seen by sanitizers: gcc goes from right to left
#include <stddef.h>

static int one = 1;
static int *p = &one;
static int armed;

static int read_it(void)
{
    return *p; //~ ERROR null-deref
}

static int arm(void)
{
    armed = 1;
    return 0;
}

static int fire(void)
{
    if (armed)
        p = NULL;
    return 0;
}

static int sum(int a, int b, int c)
{
    return a + b + c;
}

int main(void)
{
    return sum(read_it(), arm(), fire());
}
