/* A volatile variable that nothing in the program writes may hold anything each time it is read. */
#include <stdlib.h>

volatile int choice;

static int work(void)
{
    int *a = malloc(sizeof *a);
    *a = 1;
    if (choice)
        return -1; //~ ERROR leak
    free(a);
    return 0;
}

int main(void)
{
    return work() < 0;
}
