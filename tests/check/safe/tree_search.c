//~ SAFE
/* Looks for a key; the result is only read when it is there. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree { int key, value; struct tree *l, *r; };

static struct tree *leaf(int key)
{
    struct tree *t = malloc(sizeof *t);
    t->key = key;
    t->value = 1;
    t->l = t->r = NULL;
    return t;
}
static struct tree *find(struct tree *t, int key)
{
    while (t && t->key != key)
        t = key < t->key ? t->l : t->r;
    return t;
}
static struct tree *add(struct tree *t, int key)
{
    if (!t)
        return leaf(key);
    if (key < t->key)
        t->l = add(t->l, key);
    else if (key > t->key)
        t->r = add(t->r, key);
    return t;
}
static void drop(struct tree *t)
{
    if (t) {
        drop(t->l);
        drop(t->r);
        free(t);
    }
}

int main(void)
{
    struct tree *t = NULL;
    while (__VERIFIER_nondet_int())
        t = add(t, __VERIFIER_nondet_int());
    struct tree *hit = find(t, __VERIFIER_nondet_int());
    if (hit) {
        hit->value = 2;
        assert(hit->value == 2);
    }
    drop(t);
    return 0;
}
