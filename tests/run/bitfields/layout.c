#include <stdio.h>
#include <string.h>

struct zero { char c; int : 0; char d; };
struct straddle { unsigned a : 20; unsigned b : 20; unsigned c : 20; };
struct mixed { char c; unsigned f : 5; unsigned short s : 11; long long w : 40; };
struct unnamed { unsigned a : 4; unsigned : 4; unsigned b : 8; };
struct __attribute__((packed)) tight { unsigned a : 20; unsigned b : 20; unsigned char c; };
struct booleans { _Bool p : 1, q : 1; unsigned char r : 2; };
union either { unsigned low : 4; unsigned char whole; };

#define SIZE(t) printf("%s %d\n", #t, (int)sizeof(t))

int main(void)
{
    SIZE(struct zero);
    SIZE(struct straddle);
    SIZE(struct mixed);
    SIZE(struct unnamed);
    SIZE(struct tight);
    SIZE(struct booleans);
    SIZE(union either);

    struct straddle s = {0xabcde, 0x12345, 0xfffff};
    printf("%x %x %x\n", s.a, s.b, s.c);
    struct tight t = {0xabcde, 0x12345, 0x7f};
    unsigned char bytes[sizeof t];
    memcpy(bytes, &t, sizeof t);
    printf("%02x %02x %02x %x %x\n", bytes[0], bytes[1], bytes[2] & 0x0f, t.b, t.c);

    struct unnamed u;
    memset(&u, 0, sizeof u);
    u.a = 0xf, u.b = 0xa5;
    unsigned word;
    memcpy(&word, &u, sizeof word);
    printf("%x\n", word);

    struct booleans b = {2, 0, 5};
    printf("%d %d %d\n", b.p, b.q, b.r);
    union either e = {.whole = 0xc9};
    printf("%u\n", e.low);
    struct mixed m = {1, 31, 2047, -(1LL << 39)};
    printf("%d %u %d %lld\n", m.c, m.f, m.s, (long long)m.w);
    return 0;
}
