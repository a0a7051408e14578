/* Other names of functions and objects. */
#include <stdio.h>

static int twice(int x) { return 2 * x; }
int doubled(int x) __attribute__((alias("twice")));

int counter = 1;
extern int tally __attribute__((alias("counter")));

int main(void)
{
    tally = doubled(4);
    counter++;
    printf("%d %d %d\n", counter, tally, &counter == &tally);
    return 0;
}
