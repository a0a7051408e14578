#include <stdio.h>

static const char *kind(int c)
{
    switch (c) {
    case '0' ... '9': return "digit";
    case 'a' ... 'f':
    case 'A' ... 'F': return "hex letter";
    case 'g' ... 'z': case 'G' ... 'Z': return "letter";
    case ' ': case '\t' ... '\r': return "space";
    case -100 ... -1: return "negative";
    case 1000000 ... 2000000: return "large";
    default: return "other";
    }
}

static int bucket(unsigned long long v)
{
    switch (v) {
    case 0: return 0;
    case 1 ... 9: return 1;
    case 10 ... 0xffffffffULL: return 2;
    case 0x100000000ULL ... 0xffffffffffffffffULL: return 3;
    }
    return -1;
}

int main(void)
{
    const int samples[] = {'5', 'b', 'F', 'q', '\n', ' ', -7, 1500000, '#', 0, 999999, 2000000};
    for (unsigned i = 0; i < sizeof samples / sizeof *samples; i++)
        printf("%d %s\n", samples[i], kind(samples[i]));
    printf("%d%d%d%d%d\n", bucket(0), bucket(9), bucket(10), bucket(1ULL << 32), bucket(-1ULL));
    return 0;
}
