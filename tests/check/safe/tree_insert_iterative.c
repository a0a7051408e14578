//~ SAFE
/* Insertion by walking down a pointer to the link. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree { int key; struct tree *child[2]; };

static void insert(struct tree **at, int key)
{
    while (*at) {
        if ((*at)->key == key)
            return;
        at = &(*at)->child[key > (*at)->key];
    }
    struct tree *t = malloc(sizeof *t);
    t->key = key;
    t->child[0] = t->child[1] = NULL;
    *at = t;
}
static void destroy(struct tree *t)
{
    if (t) {
        destroy(t->child[0]);
        destroy(t->child[1]);
        free(t);
    }
}

int main(void)
{
    struct tree *root = NULL;
    while (__VERIFIER_nondet_int())
        insert(&root, __VERIFIER_nondet_int());
    destroy(root);
    return 0;
}
