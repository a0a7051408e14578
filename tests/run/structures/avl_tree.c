#include <stdio.h>
#include <stdlib.h>

typedef struct avl { int key, height; struct avl *child[2]; } avl;

static int height(avl *t) { return t ? t->height : 0; }
static void update(avl *t)
{
    int l = height(t->child[0]), r = height(t->child[1]);
    t->height = 1 + (l > r ? l : r);
}
static avl *rotate(avl *t, int side)
{
    avl *up = t->child[!side];
    t->child[!side] = up->child[side];
    up->child[side] = t;
    update(t);
    update(up);
    return up;
}
static avl *balance(avl *t)
{
    update(t);
    for (int side = 0; side < 2; side++)
        if (height(t->child[side]) > height(t->child[!side]) + 1) {
            avl *c = t->child[side];
            if (height(c->child[!side]) > height(c->child[side]))
                t->child[side] = rotate(c, side);
            return rotate(t, !side);
        }
    return t;
}
static avl *insert(avl *t, int key)
{
    if (!t) {
        t = malloc(sizeof *t);
        *t = (avl){key, 1, {0, 0}};
        return t;
    }
    int side = key > t->key;
    t->child[side] = insert(t->child[side], key);
    return balance(t);
}
static void walk(const avl *t, void (*visit)(const avl *, int *), int *state)
{
    if (t) {
        walk(t->child[0], visit, state);
        visit(t, state);
        walk(t->child[1], visit, state);
    }
}
static void add(const avl *t, int *state) { *state = *state * 31 % 1000003 + t->key; }
static void count(const avl *t, int *state) { (void)t; ++*state; }
static void release(avl *t)
{
    if (t)
        release(t->child[0]), release(t->child[1]), free(t);
}

int main(void)
{
    avl *t = NULL;
    for (int i = 0; i < 200; i++)
        t = insert(t, i * 37 % 211);
    int hash = 0, n = 0;
    walk(t, add, &hash);
    walk(t, count, &n);
    printf("%d nodes, height %d, hash %d\n", n, t->height, hash);
    release(t);
    t = NULL;
    for (int i = 0; i < 64; i++)
        t = insert(t, i);
    printf("root %d height %d\n", t->key, t->height);
    release(t);
    return 0;
}
