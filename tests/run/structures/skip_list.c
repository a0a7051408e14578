#include <stdio.h>
#include <stdlib.h>

#define LEVELS 4
struct node { int key, level; struct node *next[]; };

static unsigned state = 12345;
static int random_level(void)
{
    int level = 1;
    state = state * 1664525u + 1013904223u;
    for (unsigned bits = state >> 20; level < LEVELS && bits & 1; bits >>= 1)
        level++;
    return level;
}
static struct node *make(int key, int level)
{
    struct node *n = calloc(1, sizeof *n + level * sizeof n->next[0]);
    n->key = key;
    n->level = level;
    return n;
}
static struct node *locate(struct node *head, int key, struct node **before)
{
    struct node *at = head;
    for (int l = LEVELS - 1; l >= 0; l--) {
        while (at->next[l] && at->next[l]->key < key)
            at = at->next[l];
        before[l] = at;
    }
    return at->next[0];
}
static int insert(struct node *head, int key)
{
    struct node *before[LEVELS], *hit = locate(head, key, before);
    if (hit && hit->key == key)
        return 0;
    struct node *n = make(key, random_level());
    for (int l = 0; l < n->level; l++) {
        n->next[l] = before[l]->next[l];
        before[l]->next[l] = n;
    }
    return 1;
}
static int delete(struct node *head, int key)
{
    struct node *before[LEVELS], *hit = locate(head, key, before);
    if (!hit || hit->key != key)
        return 0;
    for (int l = 0; l < hit->level; l++)
        before[l]->next[l] = hit->next[l];
    free(hit);
    return 1;
}

int main(void)
{
    struct node *head = make(-1, LEVELS);
    int added = 0, gone = 0;
    for (int i = 0; i < 40; i++)
        added += insert(head, i * 17 % 29);
    for (int k = 0; k < 29; k += 2)
        gone += delete(head, k);
    printf("%d %d\n", added, gone);
    for (int l = 0; l < LEVELS; l++) {
        int n = 0, sorted = 1;
        for (struct node *p = head->next[l]; p; p = p->next[l]) {
            n++;
            if (p->next[l] && p->next[l]->key <= p->key)
                sorted = 0;
        }
        printf("level %d: %s%s\n", l, n ? "some" : "none", sorted ? " sorted" : "");
    }
    for (struct node *p = head->next[0]; p; p = p->next[0])
        printf("%d ", p->key);
    putchar('\n');
    for (struct node *p = head, *next; p; p = next) {
        next = p->next[0];
        free(p);
    }
    return 0;
}
