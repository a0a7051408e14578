/* What the programs of this directory share.
 *
 * A program has mutants: where it says MUTANT_1(wrong, right), the program made with -DMUTANT=1 is wrong. */
#ifndef RELATIONS_H
#define RELATIONS_H

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#ifndef MUTANT
#define MUTANT 0
#endif

#if MUTANT == 1
#define MUTANT_1(wrong, right) wrong
#else
#define MUTANT_1(wrong, right) right
#endif
#if MUTANT == 2
#define MUTANT_2(wrong, right) wrong
#else
#define MUTANT_2(wrong, right) right
#endif

struct node {
    struct node *next;
    int key;
};

struct tree {
    struct tree *left, *right;
    int key;
};

static inline struct node *cons(int key, struct node *next)
{
    struct node *n = malloc(sizeof *n);

    if (n == NULL)
        exit(1);
    n->key = key;
    n->next = next;
    return n;
}

/* Any numbers in any order. */
static inline struct node *any_list(void)
{
    struct node *list = NULL;

    while (__VERIFIER_nondet_int())
        list = cons(__VERIFIER_nondet_int(), list);
    return list;
}

static inline struct tree *leaf(int key)
{
    struct tree *t = malloc(sizeof *t);

    if (t == NULL)
        exit(1);
    t->left = t->right = NULL;
    t->key = key;
    return t;
}

#endif
