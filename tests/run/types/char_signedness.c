#include <limits.h>
#include <stdio.h>

static int count_high(const char *s)
{
    int n = 0;
    for (; *s; s++)
        if (*s < 0)
            n++;
    return n;
}
static int count_high_unsigned(const unsigned char *s)
{
    int n = 0;
    while (*s)
        n += *s++ >= 0x80;
    return n;
}

int main(void)
{
    char c = (char)200;
    signed char s = (signed char)200;
    unsigned char u = (unsigned char)-56;
    printf("%d %d %d\n", c, s, u);
    printf("%d %d\n", c == s, c == u);
    printf("%d %d\n", (unsigned char)c == u, CHAR_MIN < 0);
    printf("%d %d\n", c >> 1, u >> 1);
    printf("%x %x\n", (unsigned)c, (unsigned)u);
    printf("%d\n", count_high("a\x80z\xff"));
    printf("%d\n", count_high_unsigned((const unsigned char *)"a\x80z\xff"));
    c = 127;
    c++;
    u = 255;
    u++;
    printf("%d %d\n", c, u);
    c = -128;
    c = -c;
    printf("%d\n", c);
    u = 10;
    u -= 20;
    printf("%d\n", u);
    u = 200;
    u = u + u;
    printf("%d %d\n", u, (unsigned char)~u);
    int table[256] = {0};
    for (const char *p = "h\xe9llo"; *p; p++)
        table[(unsigned char)*p]++;
    printf("%d %d\n", table['l'], table[0xe9]);
    return 0;
}
