#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t table[256];

static void build(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        table[i] = c;
    }
}
static uint32_t crc(uint32_t start, const void *data, size_t n)
{
    const uint8_t *p = data;
    uint32_t c = ~start;
    while (n--)
        c = table[(c ^ *p++) & 0xff] ^ c >> 8;
    return ~c;
}
static uint32_t adler(const char *s)
{
    uint32_t a = 1, b = 0;
    for (; *s; s++) {
        a = (a + (uint8_t)*s) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

int main(void)
{
    build();
    const char *check = "123456789";
    printf("%08x\n", crc(0, check, 9));
    printf("%08x\n", crc(crc(0, check, 4), check + 4, 5));
    printf("%08x %08x\n", crc(0, "", 0), crc(0, "\0\0\0\0", 4));
    printf("%08x\n", adler("Wikipedia"));
    uint32_t words[] = {1, 2, 3};
    printf("%08x\n", crc(0, words, sizeof words));
    return crc(0, check, strlen(check)) == 0xcbf43926 ? 0 : 1;
}
