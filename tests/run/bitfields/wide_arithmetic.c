/* What is computed with a bit-field wider than int has as many bits as the bit-field, as gcc has it. */
#include <stdio.h>

struct wide {
    unsigned long long a : 40;
    unsigned long long b : 50;
    long long c : 45;
    unsigned long long d : 33;
    unsigned e : 32;
    unsigned long long f : 64;
};

static unsigned long long opaque(unsigned long long x) { return x; }

int main(void)
{
    struct wide x = {0};
    x.a = opaque(0xffffffffffULL);
    x.b = opaque(0x3ffffffffffffULL);
    x.c = -5;
    x.d = opaque(0x1ffffffffULL);
    x.e = (unsigned)opaque(0xffffffffU);
    x.f = opaque(~0ULL);
    printf("%d %d %d\n", x.a + 1 == 0, x.d + 1 == 0, x.b + x.a == x.b);
    printf("%llx\n", (unsigned long long)(x.a << 8 >> 8));
    printf("%llx\n", (unsigned long long)(x.a << 8));
    printf("%llx\n", (unsigned long long)~x.a);
    printf("%llx\n", (unsigned long long)-x.d);
    printf("%llx\n", (unsigned long long)(x.a * 3u));
    printf("%llx\n", (unsigned long long)(x.a + 1L));
    printf("%llx\n", (unsigned long long)(x.a + x.b));
    printf("%lld\n", (long long)(x.c - 1));
    printf("%lld\n", (long long)(x.c >> 1));
    printf("%d %d\n", x.c < 0, x.a > -1);
    printf("%d\n", x.a == (unsigned long long)-1);
    printf("%llx\n", (unsigned long long)((x.a > 3 ? x.a : 1) + 1));
    printf("%llx\n", (unsigned long long)((x.a ?: 1) + 1));
    printf("%llx %d\n", (unsigned long long)(x.f + 1), x.e + 1 == 0);
    x.a += 2;
    printf("%llx\n", (unsigned long long)x.a);
    x.a = 0;
    printf("%llx\n", (unsigned long long)x.a--);
    printf("%llx\n", (unsigned long long)x.a);
    unsigned long long y = 1;
    y += x.a;
    printf("%llx\n", y);
    int z = -1;
    z += x.d;
    printf("%d\n", z);
    return 0;
}
