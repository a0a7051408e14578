/* A string literal is freed. */
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct word { char *text; int owned; };

int main(void)
{
    struct word w;
    if (__VERIFIER_nondet_int()) {
        w.text = malloc(4);
        strcpy(w.text, "abc");
        w.owned = 1;
    } else {
        w.text = "abc";
        w.owned = 0;
    }
    free(w.text); //~ ERROR invalid-free
    return 0;
}
