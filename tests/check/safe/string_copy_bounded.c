//~ SAFE
/* A string built in a buffer of known size. */
#include <assert.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char buffer[8];
    int n = 0;
    while (n < 7 && __VERIFIER_nondet_int())
        buffer[n++] = 'a';
    buffer[n] = '\0';
    assert(strlen(buffer) == (unsigned)n);
    char copy[8];
    strcpy(copy, buffer);
    assert(copy[0] == buffer[0]);
    return 0;
}
