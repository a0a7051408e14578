//~ SAFE
/* A text is sought in another by comparing it at every place. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

static char *text(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        n = 1;
    char *s = malloc(n);
    if (!s)
        abort();
    for (int i = 0; i < n - 1; i++)
        s[i] = __VERIFIER_nondet_char();
    s[n - 1] = '\0';
    return s;
}

static int contains(const char *s, const char *part)
{
    for (; *s != '\0'; s++) {
        const char *at = s, *p = part;
        while (*p != '\0' && *p == *at) {
            p++;
            at++;
        }
        if (*p == '\0')
            return 1;
    }
    return 0;
}

int main(void)
{
    char *s = text(), *part = text();
    int found = contains(s, part);
    free(s);
    free(part);
    return found;
}
