//~ SAFE
/* Duplicates of constant strings in a list. */
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct word { char *text; struct word *next; };

static char *duplicate(const char *s)
{
    char *d = malloc(strlen(s) + 1);
    strcpy(d, s);
    return d;
}

int main(void)
{
    struct word *words = NULL;
    while (__VERIFIER_nondet_int()) {
        struct word *w = malloc(sizeof *w);
        w->text = duplicate(__VERIFIER_nondet_int() ? "long word" : "w");
        w->next = words;
        words = w;
    }
    while (words) {
        struct word *w = words;
        words = w->next;
        free(w->text);
        free(w);
    }
    return 0;
}
