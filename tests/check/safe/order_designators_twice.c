//~ SAFE
/* A member that is initialised twice has the last value, and members of a union are the same part. */
#include <stdlib.h>

struct pair { int *first, *second; };
union either { int *first; long second; };

static int *fresh(void)
{
    return malloc(sizeof(int));
}

int main(void)
{
    int *mine = fresh();
    struct pair pair = { .second = mine, .first = NULL, .first = mine };
    union either either = { .second = 7, .first = mine };
    if (pair.first != either.first)
        *pair.first = 1;
    free(pair.second);
    return 0;
}
