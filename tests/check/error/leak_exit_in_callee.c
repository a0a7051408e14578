/* The program ends inside a function that has lost its block. */
#include <stdlib.h>

struct job { struct job *next; int size; };

static void stop(int status)
{
    exit(status);
}

static void run(int n)
{
    struct job *j = malloc(sizeof *j);
    j->size = n;
    j = NULL; //~ ERROR leak
    stop(n);
}

int main(void)
{
    run(3);
    return 0;
}
