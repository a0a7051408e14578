#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t k[64], start[8];

static uint32_t fraction(double root) { return (uint32_t)((root - (double)(uint32_t)root) * 4294967296.0); }
static double newton_cube(double v)
{
    double x = v;
    for (int i = 0; i < 60; i++)
        x = x - (x * x * x - v) / (3 * x * x);
    return x;
}
static double newton_square(double v)
{
    double x = v;
    for (int i = 0; i < 60; i++)
        x = 0.5 * (x + v / x);
    return x;
}
static void constants(void)
{
    for (int n = 2, i = 0; i < 64; n++) {
        int prime = 1;
        for (int d = 2; d * d <= n; d++)
            if (n % d == 0)
                prime = 0;
        if (prime) {
            if (i < 8)
                start[i] = fraction(newton_square(n));
            k[i++] = fraction(newton_cube(n));
        }
    }
}
static uint32_t ror(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void block(uint32_t h[8], const uint8_t *p)
{
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)p[4 * i] << 24 | p[4 * i + 1] << 16 | p[4 * i + 2] << 8 | p[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = ror(w[i - 15], 7) ^ ror(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t b = ror(w[i - 2], 17) ^ ror(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    memcpy(s, h, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t t1 = s[7] + (ror(s[4], 6) ^ ror(s[4], 11) ^ ror(s[4], 25)) + (s[4] & s[5] ^ ~s[4] & s[6]) + k[i] + w[i];
        uint32_t t2 = (ror(s[0], 2) ^ ror(s[0], 13) ^ ror(s[0], 22)) + (s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2]);
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        h[i] += s[i];
}
static void sha256(const char *text)
{
    uint32_t h[8];
    uint8_t last[128] = {0};
    size_t n = strlen(text), done = 0;
    memcpy(h, start, sizeof h);
    for (; n - done >= 64; done += 64)
        block(h, (const uint8_t *)text + done);
    size_t rest = n - done, total = rest < 56 ? 64 : 128;
    memcpy(last, text + done, rest);
    last[rest] = 0x80;
    for (int i = 0; i < 8; i++)
        last[total - 1 - i] = (uint8_t)((uint64_t)n * 8 >> 8 * i);
    for (size_t at = 0; at < total; at += 64)
        block(h, last + at);
    for (int i = 0; i < 8; i++)
        printf("%08x", h[i]);
    putchar('\n');
}

int main(void)
{
    constants();
    sha256("");
    sha256("abc");
    sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq");
    return 0;
}
