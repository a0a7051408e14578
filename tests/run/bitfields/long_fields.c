#include <stdio.h>

/* Fields wider than int, and fields inside arrays of anonymous structs. */
struct wide {
    unsigned long long a : 33;
    long long b : 48;
    unsigned long long c : 1;
    long long d : 64;
};

struct nested { int tag : 3; struct { unsigned lo : 4, hi : 4; } nibble[2]; unsigned end : 3; };

int main(void)
{
    struct wide w = {0x1ffffffffULL, -1, 1, -5};
    printf("%llx %lld %d %lld\n", (unsigned long long)w.a, (long long)w.b, (int)w.c, (long long)w.d);
    w.a = w.a + 1;
    w.b = 1LL << 46;
    w.b += w.b - 1;
    printf("%llx %lld\n", (unsigned long long)w.a, (long long)w.b);
    w.d = (long long)w.b * 2;
    printf("%lld\n", (long long)w.d);

    struct nested n = {3, {{1, 2}, {15, 14}}, 7};
    for (int i = 0; i < 2; i++) {
        n.nibble[i].lo += n.nibble[i].hi;
        printf("%u %u\n", n.nibble[i].lo, n.nibble[i].hi);
    }
    n.tag++;
    printf("%d %u %d\n", n.tag, n.end, (int)sizeof n);
    struct nested m = n;
    m.nibble[1] = m.nibble[0];
    printf("%u %u %u\n", m.nibble[1].lo, m.nibble[1].hi, n.nibble[1].lo);
    return 0;
}
