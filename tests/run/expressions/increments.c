#include <stdio.h>

static int calls;
static int *where(int *p) { calls++; return p; }

int main(void)
{
    int i = 5;
    int a = i++, b = ++i, c = i--, d = --i;
    printf("%d %d %d %d %d\n", a, b, c, d, i);
    int v[5] = {1, 2, 3, 4, 5}, *p = v;
    *p++ = 10;
    (*p)++;
    ++*p;
    *++p = 30;
    printf("%d %d %d %d\n", v[0], v[1], v[2], (int)(p - v));
    *where(p) += 5;                         /* the operand is evaluated once */
    ++*where(p);
    (*where(p))--;
    printf("%d %d\n", *p, calls);
    double f = 1.5;
    f++;
    --f;
    printf("%g %g\n", f++, 0.0);
    printf("%g\n", f);
    char ch = 'a';
    ch++;
    printf("%c\n", ch++);
    printf("%c\n", ch);
    struct { int n; int *q; } s = {3, v};
    s.n++;
    *s.q++ = 100;
    printf("%d %d %d\n", s.n, *s.q, v[0]);
    long long big = 0x7ffffffffffffffeLL;
    big++;
    printf("%lld\n", big);
    char *text = "skip";
    while (*text++)
        ;
    printf("%c\n", text[-2]);
    unsigned u = 0;
    printf("%u\n", u-- + 1);
    printf("%u\n", u);
    return 0;
}
