#include <stdio.h>

/* Jumps into and out of blocks, forwards and backwards. */
static int into_block(int n)
{
    int r = 0;
    if (n > 2)
        goto inside;
    {
        int x;
        r = 1;
    inside:
        x = n * 10;
        r += x;
    }
    return r;
}

static int out_of_loops(int key)
{
    int i, j;
    for (i = 0; i < 5; i++)
        for (j = 0; j < 5; j++) {
            int product = i * j;
            if (product == key)
                goto found;
        }
    return -1;
found:
    return i * 10 + j;
}

static int into_loop(int start)
{
    int i = start, n = 0;
    goto middle;
    for (i = 0; i < 10; i++) {
        n += 100;
    middle:
        n++;
    }
    return n;
}

static int state_machine(const char *s)
{
    int words = 0;
outside:
    if (!*s) goto done;
    if (*s++ == ' ') goto outside;
    words++;
inside:
    if (!*s) goto done;
    if (*s++ == ' ') goto outside;
    goto inside;
done:
    return words;
}

static int crossing(int n)
{
top: ;
    int fresh = n;
    int *p = &fresh;
    (*p)++;
    if (fresh < 5) {
        n = fresh;
        goto top;
    }
    return fresh;
}

int main(void)
{
    printf("%d %d\n", into_block(1), into_block(3));
    printf("%d %d\n", out_of_loops(12), out_of_loops(7));
    printf("%d %d\n", into_loop(7), into_loop(20));
    printf("%d\n", state_machine("  several words  in a row "));
    printf("%d\n", crossing(0));
    return 0;
}
