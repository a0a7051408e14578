#include <stdio.h>

static char exact[3] = "abc";          /* no terminating zero */
static char padded[8] = "abc";
static char open[] = "abc" "def" /* joined */ "\x41\102\0tail";
static char braced[] = {"in braces"};
static const char *pointers[] = {"first", "second" + 3, [3] = "fourth"};
static struct { char tag[4]; int n; } records[] = {{"ab", 1}, {{'x', 'y', 'z', 0}, 2}, {.n = 3}};
static unsigned char bytes[] = "\377\x80\1";

int main(void)
{
    printf("%d %d %d %d\n", (int)sizeof exact, (int)sizeof padded, (int)sizeof open, (int)sizeof braced);
    printf("%c%c%c\n", exact[0], exact[1], exact[2]);
    printf("%d %d\n", padded[3], padded[7]);
    printf("%s|%s\n", open, open + 9);
    printf("%s\n", braced);
    for (int i = 0; i < 4; i++)
        printf("%s ", pointers[i] ? pointers[i] : "(null)");
    putchar('\n');
    for (int i = 0; i < 3; i++)
        printf("[%s] %d\n", records[i].tag, records[i].n);
    printf("%d %d %d %d\n", bytes[0], bytes[1], bytes[2], (int)sizeof bytes);
    char local[] = {'l', 'o', 'c', 'a', 'l', '\0'};
    char *p = local;
    *p = 'L';
    printf("%s %s\n", local, "literal" + 2);
    printf("%c %d\n", "index"[2], (int)sizeof "five5");
    printf("%s\n", "tab\there \"quoted\" back\\slash \?\?/ \a\b\f\v\r" + 0 ? "escapes ok" : "");
    return 0;
}
