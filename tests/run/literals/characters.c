#include <stdio.h>
#include <wchar.h>

int main(void)
{
    printf("%d %d %d %d\n", 'a', '\n', '\0', '\\');
    printf("%d %d %d\n", '\x7f', '\177', '\'');
    printf("%d %d\n", '\xff', '\377');                 /* char is signed here */
    printf("%d\n", (unsigned char)'\xff');
    printf("%d\n", 'ab');                               /* value chosen by gcc */
    printf("%d\n", (int)sizeof 'a' == (int)sizeof(int));
    printf("%d %d %d\n", (int)L'x', (int)L'\x1234', (int)L'é');
    printf("%d %d\n", (int)u'\u00e9', (int)U'\U0001F600');
    printf("%d\n", '\e');
    const wchar_t *w = L"wide\x263a";
    int n = 0;
    while (w[n])
        n++;
    printf("%d %x %d\n", n, (unsigned)w[4], (int)(sizeof L"ab" / sizeof(wchar_t)));
    wchar_t buffer[] = L"abc";
    buffer[1] = L'-';
    for (int i = 0; buffer[i]; i++)
        printf("%d ", (int)buffer[i]);
    putchar('\n');
    const char *utf8 = u8"é☺";
    for (const char *p = utf8; *p; p++)
        printf("%02x ", (unsigned char)*p);
    putchar('\n');
    unsigned short *u16 = (unsigned short *)u"a😀";
    printf("%x %x %x %x\n", u16[0], u16[1], u16[2], u16[3]);
    unsigned *u32 = (unsigned *)U"a😀";
    printf("%x %x %x\n", u32[0], u32[1], u32[2]);
    return 0;
}
