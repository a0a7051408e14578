#include <ctype.h>
#include <stdio.h>

int main(void)
{
    const char *samples = "aZ5 \t\n_~\x7f@/:";
    for (const char *p = samples; *p; p++) {
        unsigned char c = (unsigned char)*p;
        printf("%3d %d%d%d%d%d%d%d%d%d%d %d %d\n", c, !!isalpha(c), !!isdigit(c), !!isalnum(c), !!isspace(c),
               !!isupper(c), !!islower(c), !!ispunct(c), !!isxdigit(c), !!isprint(c), !!iscntrl(c),
               tolower(c), toupper(c));
    }
    int counts[5] = {0};
    for (int c = 0; c < 128; c++) {
        counts[0] += !!isalpha(c);
        counts[1] += !!isspace(c);
        counts[2] += !!ispunct(c);
        counts[3] += !!isgraph(c);
        counts[4] += !!isxdigit(c);
    }
    printf("%d %d %d %d %d\n", counts[0], counts[1], counts[2], counts[3], counts[4]);
    char title[] = "a title made of words";
    for (int i = 0; title[i]; i++)
        if (i == 0 || isspace((unsigned char)title[i - 1]))
            title[i] = (char)toupper((unsigned char)title[i]);
    puts(title);
    return 0;
}
