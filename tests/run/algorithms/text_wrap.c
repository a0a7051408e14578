#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void justify(const char *line, int length, int width, int last)
{
    int gaps = 0;
    for (int i = 0; i < length; i++)
        gaps += line[i] == ' ';
    int extra = last || !gaps ? 0 : width - length, seen = 0;
    for (int i = 0; i < length; i++) {
        putchar(line[i]);
        if (line[i] == ' ') {
            int pad = extra * (seen + 1) / (gaps ? gaps : 1) - extra * seen / (gaps ? gaps : 1);
            printf("%*s", pad, "");
            seen++;
        }
    }
    putchar('|');
    putchar('\n');
}
static void wrap(const char *s, int width)
{
    while (*s) {
        int length = (int)strlen(s), cut = length;
        if (length > width) {
            cut = width;
            while (cut > 0 && s[cut] != ' ')
                cut--;
            if (cut == 0)
                cut = width;
        }
        justify(s, cut, width, length <= width);
        s += cut;
        while (isspace((unsigned char)*s))
            s++;
    }
}
static void caesar(char *s, int k)
{
    for (; *s; s++)
        if (isalpha((unsigned char)*s)) {
            char base = isupper((unsigned char)*s) ? 'A' : 'a';
            *s = (char)(base + (*s - base + k + 26) % 26);
        }
}

int main(void)
{
    wrap("Programs must be written for people to read, and only incidentally for machines to execute.", 28);
    char secret[] = "Attack at Dawn!";
    caesar(secret, 3);
    puts(secret);
    caesar(secret, -3);
    puts(secret);
    return 0;
}
