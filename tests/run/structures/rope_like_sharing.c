#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reference-counted, immutable concatenation trees: parts may be shared. */
struct rope { int references; int length; struct rope *left, *right; char text[]; };

static int live;
static struct rope *leaf(const char *s)
{
    int n = (int)strlen(s);
    struct rope *r = malloc(sizeof *r + n + 1);
    *r = (struct rope){1, n, NULL, NULL};
    memcpy(r->text, s, n + 1);
    live++;
    return r;
}
static struct rope *keep(struct rope *r) { r->references++; return r; }
static void drop(struct rope *r)
{
    while (r && --r->references == 0) {
        struct rope *next = r->right;
        drop(r->left);
        free(r);
        live--;
        r = next;
    }
}
static struct rope *join(struct rope *a, struct rope *b)
{
    struct rope *r = malloc(sizeof *r);
    *r = (struct rope){1, a->length + b->length, a, b};
    live++;
    return r;
}
static char at(const struct rope *r, int i)
{
    while (r->left)
        if (i < r->left->length)
            r = r->left;
        else {
            i -= r->left->length;
            r = r->right;
        }
    return r->text[i];
}

int main(void)
{
    struct rope *r = join(leaf("ab"), leaf("c"));
    for (int i = 0; i < 3; i++)
        r = join(keep(r), r);
    struct rope *other = join(leaf("<"), join(keep(r), leaf(">")));
    for (int i = 0; i < other->length; i++)
        putchar(at(other, i));
    printf("\n%d parts for %d characters\n", live, other->length);
    drop(r);
    printf("%d\n", live);
    drop(other);
    printf("%d\n", live);
    return live;
}
