#include <stdio.h>

/* Literals, '.', '^', '$', and the suffixes '*', '+', '?'; classes like [a-z]. */
static int here(const char *re, const char *s);

static int one(const char **re, char c)
{
    const char *p = *re;
    if (*p == '[') {
        int negate = *++p == '^', hit = 0;
        p += negate;
        for (; *p != ']'; p++)
            if (p[1] == '-' && p[2] != ']') {
                hit |= c >= p[0] && c <= p[2];
                p += 2;
            } else
                hit |= c == *p;
        *re = p + 1;
        return c && hit != negate;
    }
    int escaped = *p == '\\';
    p += escaped;
    *re = p + 1;
    return c && (*p == '.' && !escaped || *p == c);
}
static int here(const char *re, const char *s)
{
    if (!*re)
        return 1;
    if (re[0] == '$' && !re[1])
        return !*s;
    const char *next = re;
    int match = one(&next, *s);
    switch (*next) {
    case '*':
    case '+':
        if (*next == '+' && !match)
            return 0;
        for (const char *t = s + (*next == '+');; t++) {
            if (here(next + 1, t))
                return 1;
            const char *again = re;
            if (!one(&again, *t))
                return 0;
        }
    case '?':
        return match && here(next + 1, s + 1) || here(next + 1, s);
    }
    return match && here(next, s + 1);
}
static int search(const char *re, const char *s)
{
    if (*re == '^')
        return here(re + 1, s);
    do
        if (here(re, s))
            return 1;
    while (*s++);
    return 0;
}

int main(void)
{
    static const struct { const char *re, *s; } cases[] = {
        {"abc", "xxabcxx"}, {"^abc", "xabc"}, {"a.c$", "zzabc"}, {"ab*c", "ac"}, {"ab+c", "ac"},
        {"colou?r", "my color"}, {"^[a-z]+[0-9]*$", "abc123"}, {"^[a-z]+$", "abc1"}, {"[^0-9]", "12345"},
        {"a\\.b", "a.b"}, {"^$", ""}, {".*x", "aaax"}, {"x*", ""}, {"^a*a$", "aaa"}, {"[abc]?[abc]?d", "bad"}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        printf("%-16s %-10s %d\n", cases[i].re, cases[i].s, search(cases[i].re, cases[i].s));
    return 0;
}
