#include <stdint.h>
#include <stdio.h>

union bits { float f; uint32_t u; int32_t i; unsigned char b[4]; };
union wide { double d; uint64_t u; uint32_t half[2]; };

static int exponent(float f)
{
    union bits x = {.f = f};
    return (int)(x.u >> 23 & 0xff) - 127;
}

static float absolute(float f)
{
    union bits x;
    x.f = f;
    x.u &= 0x7fffffffu;
    return x.f;
}

int main(void)
{
    union bits x = {1.0f};
    printf("%08x\n", x.u);
    x.f = -2.5f;
    printf("%08x %d\n", x.u, x.i < 0);
    x.u = 0x40490fdb;
    printf("%.4f\n", x.f);
    printf("%02x %02x %02x %02x\n", x.b[0], x.b[1], x.b[2], x.b[3]);
    printf("%d %d %d\n", exponent(1.0f), exponent(1000.0f), exponent(0.125f));
    printf("%g %g\n", absolute(-7.25f), absolute(3.5f));
    union wide w = {.d = 1.0};
    printf("%016llx %x %x\n", (unsigned long long)w.u, w.half[0], w.half[1]);
    w.half[1] ^= 0x80000000u;
    printf("%g\n", w.d);
    w.u++;
    printf("%d\n", w.d < -1.0);
    return 0;
}
