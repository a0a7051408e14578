#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int isqrt(int n)
{
    assert(n >= 0);
    int r = 0;
    while ((r + 1) * (r + 1) <= n)
        r++;
    assert(r * r <= n && (r + 1) * (r + 1) > n);
    return r;
}

int main(void)
{
    for (int i = 0; i < 200; i += 37)
        printf("%d ", isqrt(i));
    putchar('\n');
    errno = 0;
    strtol("99999999999999999999999", NULL, 10);
    printf("%d\n", errno == ERANGE);
    errno = 0;
    printf("%d\n", errno);
    assert(1 && "with a message");
    assert(INT_MIN == -INT_MAX - 1);
    printf("%d\n", getenv("A_NAME_THAT_NOBODY_SETS") == NULL);
    return 0;
}
