//~ SAFE
/* A pointer copied byte by byte still owns its block. */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *p = malloc(sizeof *p), *q;
    *p = 4;
    char bytes[sizeof p];
    memcpy(bytes, &p, sizeof p);
    p = NULL;
    memcpy(&q, bytes, sizeof q);
    *q = 5;
    free(q);
    return 0;
}
