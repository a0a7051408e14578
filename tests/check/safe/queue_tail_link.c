//~ SAFE
/* A queue whose tail is the address of the last link. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct msg { struct msg *next; char body; };
struct queue { struct msg *first, **last; };

int main(void)
{
    struct queue q;
    q.first = NULL;
    q.last = &q.first;
    while (__VERIFIER_nondet_int()) {
        struct msg *m = malloc(sizeof *m);
        m->body = 'm';
        m->next = NULL;
        *q.last = m;
        q.last = &m->next;
        if (__VERIFIER_nondet_int()) {
            struct msg *out = q.first;
            q.first = out->next;
            if (!q.first)
                q.last = &q.first;
            free(out);
        }
    }
    while (q.first) {
        struct msg *m = q.first;
        q.first = m->next;
        free(m);
    }
    return 0;
}
