/* The text is freed, then compared. */
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct word { char *text; struct word *next; };

int main(void)
{
    struct word *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct word *w = malloc(sizeof *w);
        w->text = malloc(6);
        strcpy(w->text, "word");
        w->next = l;
        l = w;
    }
    int same = 0;
    while (l) {
        struct word *w = l->next;
        free(l->text);
        if (l->text[0] == 'w') //~ ERROR use-after-free
            same = 1;
        free(l);
        l = w;
    }
    return same;
}
