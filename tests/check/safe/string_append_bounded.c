//~ SAFE
/* At most so many bytes of one string are appended to another, which has room for them behind its end. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

static void append(char *to, const char *from, int most)
{
    while (*to != '\0')
        to++;
    while (most != 0 && (*to = *from++) != '\0') {
        most--;
        to++;
    }
    *to = '\0';
}

int main(void)
{
    int room = __VERIFIER_nondet_int(), length = __VERIFIER_nondet_int(), most = __VERIFIER_nondet_int();
    if (length < 1 || most < 1 || room < most || room - most < length)
        return 0;
    char *to = malloc(room), *from = malloc(length);
    if (!to || !from)
        abort();
    for (int i = 0; i < room - most - 1; i++)
        to[i] = __VERIFIER_nondet_char();
    to[room - most - 1] = '\0';
    for (int i = 0; i < length - 1; i++)
        from[i] = __VERIFIER_nondet_char();
    from[length - 1] = '\0';
    append(to, from, most);
    free(to);
    free(from);
    return 0;
}
