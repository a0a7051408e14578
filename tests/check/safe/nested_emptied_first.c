//~ SAFE
/* The lists of the elements are freed in one pass, the elements in another. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct word { struct word *next; };
struct line { struct line *next; struct word *words; };

int main(void)
{
    struct line *text = NULL;
    while (__VERIFIER_nondet_int()) {
        struct line *l = malloc(sizeof *l);
        if (!l)
            abort();
        l->words = NULL;
        l->next = text;
        text = l;
        while (__VERIFIER_nondet_int()) {
            struct word *w = malloc(sizeof *w);
            if (!w)
                abort();
            w->next = l->words;
            l->words = w;
        }
    }
    for (struct line *l = text; l; l = l->next) {
        while (l->words) {
            struct word *w = l->words;
            l->words = w->next;
            free(w);
        }
    }
    while (text) {
        struct line *l = text;
        text = l->next;
        free(l);
    }
    return 0;
}
