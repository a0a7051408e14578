#include <stdio.h>
#include <string.h>

struct pair { int a; char c; };

static void shift(int *v, int n, int by)
{
    if (by > 0)
        memmove(v + by, v, (n - by) * sizeof *v);
    else
        memmove(v, v - by, (n + by) * sizeof *v);
}

int main(void)
{
    int v[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    shift(v, 8, 3);
    for (int i = 0; i < 8; i++)
        printf("%d ", v[i]);
    shift(v, 8, -5);
    for (int i = 0; i < 8; i++)
        printf("%d ", v[i]);
    putchar('\n');
    struct pair p[3] = {{1, 'x'}, {2, 'y'}, {3, 'z'}};
    memmove(&p[1], &p[0], 2 * sizeof p[0]);
    printf("%d%c %d%c %d%c\n", p[0].a, p[0].c, p[1].a, p[1].c, p[2].a, p[2].c);
    unsigned char bytes[8];
    memset(bytes, 0xab, 8);
    memset(bytes + 2, 0, 4);
    unsigned first, last;
    memcpy(&first, bytes, 4);
    memcpy(&last, bytes + 4, 4);
    printf("%x %x\n", first, last);
    unsigned middle;
    memcpy(&middle, bytes + 1, sizeof middle);
    printf("%x\n", middle);
    double d = 1.0;
    unsigned long long bits;
    memcpy(&bits, &d, sizeof bits);
    printf("%llx\n", bits);
    bits |= 1ULL << 63;
    memcpy(&d, &bits, sizeof d);
    printf("%g\n", d);
    char path[16] = "a/b/c";
    memmove(path + 4, path + 2, strlen(path + 2) + 1);
    memcpy(path + 2, "x/", 2);
    puts(path);
    return 0;
}
