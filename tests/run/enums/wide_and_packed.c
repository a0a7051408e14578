#include <stdio.h>

/* GNU: enumerators beyond int make the enumeration wider; packed makes it narrower. */
enum wide { SMALL = 1, HUGE_VALUE = 0x123456789abcLL };
enum unsigned_like { ZERO, TOP = 0xffffffffu };
enum __attribute__((packed)) tiny { T0, T1 = 200 };
enum __attribute__((packed)) tiny_signed { M = -5, N = 100 };

struct packed_fields { enum tiny a; enum tiny_signed b; char c; };

int main(void)
{
    enum wide w = HUGE_VALUE;
    enum unsigned_like u = TOP;
    enum tiny t = T1;
    enum tiny_signed s = M;
    struct packed_fields f = {T1, M, 'x'};
    printf("%d %lld\n", (int)sizeof(enum wide), (long long)w);
    printf("%d %u\n", (int)sizeof u, (unsigned)u);
    printf("%d %d\n", (int)sizeof t, t);
    printf("%d %d\n", (int)sizeof s, s);
    printf("%d %d %d %c\n", (int)sizeof f, f.a, f.b, f.c);
    printf("%d\n", u > 0);
    return w == HUGE_VALUE ? 0 : 1;
}
