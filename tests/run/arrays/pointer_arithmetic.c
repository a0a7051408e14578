#include <stddef.h>
#include <stdio.h>

struct item { short key; double weight; };

static int length(const char *s)
{
    const char *p = s;
    while (*p)
        ++p;
    return (int)(p - s);
}

int main(void)
{
    int a[10];
    int *p = a, *end = a + 10, *q = &a[9];
    while (p < end)
        *p++ = 1;
    for (p = a; p != end; ++p)
        *p = (int)(p - a);
    p = a;
    printf("%d %d %d\n", *(p + 3), 3[a], *(2 + p + 1));
    printf("%d %d\n", (int)(q - p), (int)((char *)q - (char *)p) / (int)sizeof(int));
    printf("%d %d %d\n", p < q, p <= p, q >= end);
    p += 4;
    p -= 2;
    printf("%d\n", *p++);
    printf("%d\n", *++p);
    printf("%d\n", p[-1]);
    printf("%d %d\n", *p--, a[4]);
    printf("%d %d\n", (*p)++, a[5]);
    printf("%d\n", a[3]);
    printf("%d\n", &a[5] - &a[2] == (ptrdiff_t)3);
    struct item items[4] = {{1, 1.5}, {2, 2.5}, {3, 3.5}, {4, 4.5}};
    struct item *it = &items[3];
    printf("%d %g\n", (it - 2)->key, it[-1].weight);
    printf("%d %d\n", (int)(it - items), length("pointer"));
    char *raw = (char *)items;
    raw += 2 * sizeof(struct item) + offsetof(struct item, weight);
    printf("%g\n", *(double *)raw);
    int total = 0;
    for (int *r = end; r-- > a;)
        total = total * 2 + *r;
    printf("%d\n", total);
    const char *reverse = "abc" + 3;
    while (reverse[-1] != 'a')
        putchar(*--reverse);
    putchar('\n');
    return 0;
}
