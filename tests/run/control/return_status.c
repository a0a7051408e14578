#include <stdio.h>
#include <stdlib.h>

enum status { OK, WARN = 3, BAD = 250 };

static enum status combine(enum status a, enum status b) { return a > b ? a : b; }

static void nothing(int n)
{
    if (n)
        return;
    printf("zero\n");
}

static int falls(int n)
{
    if (n > 0) {
        while (1)
            if (n-- == 0)
                return 8;
    } else
        return 9;
}

int main(void)
{
    nothing(1);
    nothing(0);
    printf("%d %d\n", falls(3), falls(-1));
    fprintf(stderr, "this goes to the error stream\n");
    fprintf(stdout, "status %d\n", combine(WARN, BAD));
    return combine(combine(OK, WARN), BAD) + 261;       /* only the low byte counts */
}
