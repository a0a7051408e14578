#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static signed char narrow(int x) { return x; }
static unsigned short narrow_u(long long x) { return x; }
static int truncate(double d) { return d; }

int main(void)
{
    const int values[] = {0, 1, -1, 127, 128, 255, 256, -128, -129, 32768, 65535, INT_MAX, INT_MIN};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        int v = values[i];
        printf("%d: %d %d %d %d %d\n", v, (int8_t)v, (uint8_t)v, (int16_t)v, (uint16_t)v, (_Bool)v);
    }
    printf("%d %u\n", narrow(300), narrow_u(-2));
    printf("%d %d %d\n", truncate(2.9), truncate(-2.9), truncate(1e9));
    long long big = 0x123456789abcdef0LL;
    printf("%x %x %x\n", (unsigned)big, (unsigned short)big, (unsigned char)big);
    printf("%d\n", (int)(unsigned)big < 0);
    int stored;
    stored = big >> 4;
    printf("%x\n", (unsigned)stored);
    float f = 16777217;
    printf("%d\n", (int)f);
    printf("%d %d\n", (int)(float)0.1 == 0, (float)0.1 == 0.1f);
    printf("%llu\n", (unsigned long long)1.8e19);
    double d = 4294967295u;
    printf("%.0f %.0f\n", d, (double)INT_MIN);
    printf("%.0f\n", (double)0xffffffffu + 1);
    return 0;
}
