#include <stdio.h>
#include <stdlib.h>

/* Two node types that refer to each other, built and destroyed by mutual recursion. */
struct branch;
struct leaf_list { int value; struct branch *sub; struct leaf_list *next; };
struct branch { const char *label; struct leaf_list *items; };

static struct branch *grow(int depth);
static struct leaf_list *grow_items(int n, int depth)
{
    if (n == 0)
        return NULL;
    struct leaf_list *l = malloc(sizeof *l);
    l->value = n * 10 + depth;
    l->sub = depth > 0 && n % 2 ? grow(depth - 1) : NULL;
    l->next = grow_items(n - 1, depth);
    return l;
}
static struct branch *grow(int depth)
{
    static const char *const labels[] = {"zero", "one", "two", "three"};
    struct branch *b = malloc(sizeof *b);
    b->label = labels[depth];
    b->items = grow_items(depth + 1, depth);
    return b;
}
static int total(const struct branch *b);
static int total_items(const struct leaf_list *l)
{
    return l ? l->value + (l->sub ? total(l->sub) : 0) + total_items(l->next) : 0;
}
static int total(const struct branch *b) { return total_items(b->items); }
static void print(const struct branch *b, int indent)
{
    printf("%*s%s\n", indent, "", b->label);
    for (const struct leaf_list *l = b->items; l; l = l->next) {
        printf("%*s%d\n", indent + 1, "", l->value);
        if (l->sub)
            print(l->sub, indent + 2);
    }
}
static void drop(struct branch *b)
{
    if (!b)
        return;
    for (struct leaf_list *l = b->items, *next; l; l = next) {
        next = l->next;
        drop(l->sub);
        free(l);
    }
    free(b);
}

int main(void)
{
    struct branch *b = grow(3);
    print(b, 0);
    int t = total(b);
    printf("%d\n", t);
    drop(b);
    return t % 100;
}
