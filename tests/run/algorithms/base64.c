#include <stdio.h>
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void encode(const unsigned char *in, size_t n, char *out)
{
    for (; n >= 3; n -= 3, in += 3) {
        *out++ = alphabet[in[0] >> 2];
        *out++ = alphabet[(in[0] & 3) << 4 | in[1] >> 4];
        *out++ = alphabet[(in[1] & 15) << 2 | in[2] >> 6];
        *out++ = alphabet[in[2] & 63];
    }
    if (n) {
        unsigned second = n > 1 ? in[1] : 0;
        *out++ = alphabet[in[0] >> 2];
        *out++ = alphabet[(in[0] & 3) << 4 | second >> 4];
        *out++ = n > 1 ? alphabet[(second & 15) << 2] : '=';
        *out++ = '=';
    }
    *out = '\0';
}
static int decode(const char *in, unsigned char *out)
{
    unsigned bits = 0, have = 0;
    unsigned char *begin = out;
    for (; *in && *in != '='; in++) {
        const char *at = strchr(alphabet, *in);
        if (!at)
            return -1;
        bits = bits << 6 | (unsigned)(at - alphabet);
        have += 6;
        if (have >= 8)
            *out++ = (unsigned char)(bits >> (have -= 8));
    }
    return (int)(out - begin);
}

int main(void)
{
    const char *samples[] = {"", "f", "fo", "foo", "foob", "fooba", "foobar", "any carnal pleas"};
    for (int i = 0; i < 8; i++) {
        char text[64];
        unsigned char back[64];
        encode((const unsigned char *)samples[i], strlen(samples[i]), text);
        int n = decode(text, back);
        back[n] = 0;
        printf("%s %d %d\n", text, n, strcmp((char *)back, samples[i]));
    }
    unsigned char raw[5] = {0xff, 0x00, 0x80, 0x7f, 0xfe}, back[8];
    char text[12];
    encode(raw, 5, text);
    printf("%s %d\n", text, decode(text, back) == 5 && memcmp(raw, back, 5) == 0);
    printf("%d\n", decode("a b", back));
    return 0;
}
