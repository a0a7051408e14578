#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *squeeze(const char *s)
{
    char *out = malloc(2 * strlen(s) + 12), *p = out;
    for (int run; *s; s += run) {
        for (run = 1; s[run] == *s; run++)
            ;
        p += run > 1 ? sprintf(p, "%d%c", run, *s) : sprintf(p, "%c", *s);
    }
    *p = 0;
    return out;
}
static char *stretch(const char *s)
{
    size_t room = 4, n = 0;
    char *out = malloc(room);
    while (*s) {
        long run = 1;
        if (*s >= '0' && *s <= '9')
            run = strtol(s, (char **)&s, 10);
        while (n + run >= room)
            out = realloc(out, room *= 2);
        memset(out + n, *s++, run);
        n += run;
    }
    out[n] = 0;
    return out;
}

int main(void)
{
    const char *samples[] = {"aaabccdddddddddddd", "", "xyz", "zzzzzzzzzzzzzzzzzzzzzzzzz"};
    int bad = 0;
    for (int i = 0; i < 4; i++) {
        char *small = squeeze(samples[i]), *back = stretch(small);
        printf("[%s] -> [%s] -> [%s]\n", samples[i], small, back);
        bad += strcmp(back, samples[i]) != 0;
        free(small);
        free(back);
    }
    return bad;
}
