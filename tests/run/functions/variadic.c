#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct pair { int a, b; };
struct big { int v[10]; };

static int sum(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    int s = 0;
    while (n-- > 0)
        s += va_arg(ap, int);
    va_end(ap);
    return s;
}

static void typed(const char *types, ...)
{
    va_list ap;
    va_start(ap, types);
    for (; *types; types++)
        switch (*types) {
        case 'i': printf("%d ", va_arg(ap, int)); break;
        case 'u': printf("%u ", va_arg(ap, unsigned)); break;
        case 'l': printf("%ld ", va_arg(ap, long)); break;
        case 'L': printf("%lld ", va_arg(ap, long long)); break;
        case 'd': printf("%g ", va_arg(ap, double)); break;
        case 'D': printf("%Lg ", va_arg(ap, long double)); break;
        case 's': printf("%s ", va_arg(ap, char *)); break;
        case 'p': printf("%d ", *va_arg(ap, int *)); break;
        case 'P': { struct pair p = va_arg(ap, struct pair); printf("%d/%d ", p.a, p.b); break; }
        case 'B': printf("%d ", va_arg(ap, struct big).v[9]); break;
        case 'f': printf("%d ", va_arg(ap, int (*)(int, ...))(2, 30, 40)); break;
        }
    va_end(ap);
    putchar('\n');
}

static int twice(const char *sep, ...)
{
    va_list ap, copy;
    va_start(ap, sep);
    va_copy(copy, ap);
    int n = 0;
    for (const char *s; (s = va_arg(ap, const char *)); n++)
        printf("%s%s", s, sep);
    for (const char *s; (s = va_arg(copy, const char *));)
        n += (int)strlen(s);
    va_end(copy);
    va_end(ap);
    return n;
}

static int forward(char *out, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    int n = vsprintf(out, format, ap);
    va_end(ap);
    return n;
}
static int walk(va_list *ap, int n) { return n ? va_arg(*ap, int) * n + walk(ap, n - 1) : 0; }
static int weighted(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    int r = walk(&ap, n);
    va_end(ap);
    return r;
}

int main(void)
{
    int x = 77;
    char c = 'A';
    short s = -3;
    float f = 2.5f;
    printf("%d %d\n", sum(0), sum(4, 1, 2, 3, 4));
    typed("iiudlLsp", c, s, 4000000000u, f, -5L, 1LL << 40, "str", &x);
    typed("PBDfi", (struct pair){3, 4}, (struct big){{[9] = 8}}, 1.25L, sum, 6);
    typed("dididididididid", 1.5, 1, 2.5, 2, 3.5, 3, 4.5, 4, 5.5, 5, 6.5, 6, 7.5, 7, 8.5);
    printf("%d\n", twice(",", "one", "three", (char *)0));
    char out[40];
    printf("%d ", forward(out, "%s=%d;%c", "key", 42, '!'));
    printf("%s\n", out);
    printf("%d\n", weighted(3, 10, 20, 30));
    return 0;
}
