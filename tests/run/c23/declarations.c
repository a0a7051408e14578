// std: gnu2x
#include <stdbool.h>
#include <stdio.h>

/* Assertions without message, unnamed parameters, labels before declarations and at block ends. */
_Static_assert(sizeof(int) == 4);
_Static_assert(true);

static int second(int, int b) { return b; }
static int no_prototype() { return 3; }

static int labelled(int n)
{
    int total = 0;
again:
    int step = n;
    total += step;
    if (--n > 0)
        goto again;
    switch (total) {
    case 10:
        int local = 5;
        total += local;
        break;
    default:
    }
    {
        if (total > 12)
            goto out;
        total = -1;
    out:
    }
    return total;
}

int main(void)
{
    bool b = true;
    printf("%d %d\n", second(1, 2), no_prototype());
    printf("%d\n", labelled(4));
    printf("%d\n", labelled(3));
    printf("%d %d\n", b, !b == false);
    int empty[3] = {};
    struct { int x; char s[4]; } e = {};
    printf("%d %d %d\n", empty[2], e.x, e.s[3]);
    typeof(b) other = 17;
    printf("%d\n", other);
    return 0;
}
