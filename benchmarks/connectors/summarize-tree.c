/* A search tree is summarised; what is left below a right child is larger than the root. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *l, *r;
    int val;
};

#define NODE(name, value, left, right) \
    struct tree *name = malloc(sizeof *name); \
    name->val = value; \
    name->l = left; \
    name->r = right

/* 4 with 3 (1 (-, 2), -) on its left and 9 (8 (7 (6 (5)))) on its right. */
int main(void) {
    NODE(two, 2, NULL, NULL);
    NODE(one, 1, NULL, two);
    NODE(three, 3, one, NULL);
    NODE(five, 5, NULL, NULL);
    NODE(six, 6, five, NULL);
    NODE(seven, 7, six, NULL);
    NODE(eight, 8, seven, NULL);
    NODE(nine, 9, eight, NULL);
    NODE(p, 4, three, nine);
    /* Here all but what variables point to is put together. */
    for (int i = 0; i < 100 && __VERIFIER_nondet_int(); i++) {
    }
    struct tree *right = p->r;
    if (right != NULL && right->l != NULL)
        assert(right->l->val > p->val);
    return 0;
}
