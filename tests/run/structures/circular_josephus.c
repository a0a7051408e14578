#include <stdio.h>
#include <stdlib.h>

struct person { int number; struct person *next; };

static struct person *circle(int n)
{
    struct person *last = NULL, *first = NULL;
    for (int i = n; i > 0; i--) {
        struct person *p = malloc(sizeof *p);
        p->number = i;
        p->next = first;
        first = p;
        if (!last)
            last = p;
    }
    last->next = first;
    return last;
}
static int survivor(int n, int step, int verbose)
{
    struct person *before = circle(n);
    while (before->next != before) {
        for (int i = 1; i < step; i++)
            before = before->next;
        struct person *out = before->next;
        before->next = out->next;
        if (verbose)
            printf("%d ", out->number);
        free(out);
    }
    int number = before->number;
    free(before);
    return number;
}

int main(void)
{
    int s = survivor(10, 3, 1);
    printf("\n%d\n", s);
    for (int n = 1; n <= 16; n++)
        printf("%d ", survivor(n, 2, 0));
    putchar('\n');
    return s;
}
