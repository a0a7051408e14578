/* Runs the operations of this directory at random and checks that the numbers are as the contracts say. Those that
 * are operations of benchmarks/clumping are exercised by the drivers there. */
#include "../clumping/driver.h"
#include "black-blacken.c"
#include "black-flip.c"
#include "bounded-append.c"
#include "bounded-clamp.c"
#include "bounded-insert.c"
#include "colour-blacken.c"
#include "colour-flip.c"
#include "counted-append.c"
#include "counted-pop.c"
#include "counted-push.c"
#include "counted-recount.c"
#include "counted-reverse.c"
#include "height-rotate.c"
#include "percent-build.c"
#include "percent-clamp.c"
#include "percent-filter.c"
#include "percent-reverse.c"
#include "search-delmin.c"
#include "search-insert-rec.c"
#include "search-insert.c"
#include "search-min.c"
#include "search-rotate.c"
#include "sorted-delete.c"
#include "sorted-find.c"
#include "sorted-insert-rec.c"
#include "sorted-insert.c"
#include "sorted-merge-rec.c"
#include "sorted-merge.c"
#include "sorted-pop.c"
#include <limits.h>

int __VERIFIER_nondet_int(void)
{
    return (int)random_below(140) - 20;
}

/* A list of numbers from `low` on, sorted if need be. */
static struct psll *any_list(int low, int range, int sorted)
{
    struct psll *list = NULL;
    int value = low + range;

    for (unsigned i = random_size(); i > 0; i--) {
        if (sorted)
            value -= (int)random_below((unsigned)(value - low) / 2 + 1);
        else
            value = low + (int)random_below((unsigned)range + 1);
        psll_insert(&list, value);
    }
    return list;
}

static void check_sorted(struct psll *list)
{
    int low = INT_MIN;

    for (; list != NULL; list = list->next) {
        assert(low <= list->value);
        low = list->value;
    }
}

static void check_bounded(const struct psll *list, int low, int high)
{
    for (; list != NULL; list = list->next)
        assert(low <= list->value && list->value <= high);
}

static void sorted_lists(void)
{
    struct psll *list = any_list(0, 20, 1);
    int value = (int)random_below(22);

    switch (random_below(6)) {
    case 0:
        sorted_find(list, value);
        break;
    case 1:
        list = sorted_insert(list, value);
        break;
    case 2:
        list = sorted_insert_rec(list, value);
        break;
    case 3:
        list = sorted_delete(list, value);
        break;
    case 4:
        list = sorted_pop(list);
        break;
    default:
        if (random_below(2))
            list = sorted_merge(list, any_list(0, 20, 1));
        else
            list = sorted_merge_rec(list, any_list(0, 20, 1));
    }
    check_sorted(list);
    psll_destroy(list);
}

static void bounded_lists(void)
{
    struct psll *list;
    int low = 3, high = 9;

    switch (random_below(7)) {
    case 0:
        check_bounded(list = percent_build(), 0, 100);
        break;
    case 1:
        check_bounded(list = percent_reverse(any_list(0, 100, 0)), 0, 100);
        break;
    case 2:
        list = any_list(-30, 160, 0);
        percent_clamp(list);
        check_bounded(list, 0, 100);
        break;
    case 3:
        check_bounded(list = percent_filter(any_list(-30, 160, 0)), 0, 100);
        break;
    case 4:
        check_bounded(list = bounded_insert(any_list(low, 6, 0), low, high, (int)random_below(14)), low, high);
        break;
    case 5:
        list = bounded_append(any_list(low, 6, 0), any_list(low, 6, 0), low, high);
        check_bounded(list, low, high);
        break;
    default:
        list = any_list(-5, 20, 0);
        bounded_clamp(list, low, high);
        check_bounded(list, low, high);
    }
    psll_destroy(list);
}

static long length(const struct psll *list)
{
    long n = 0;

    for (; list != NULL; list = list->next)
        n++;
    return n;
}

static void counted_lists(void)
{
    struct counted a, b;

    a.first = any_list(-5, 20, 0);
    a.count = length(a.first);
    b.first = any_list(-5, 20, 0);
    b.count = length(b.first);
    switch (random_below(5)) {
    case 0:
        counted_push(&a, 7);
        break;
    case 1:
        counted_pop(&a);
        break;
    case 2:
        counted_recount(&a);
        break;
    case 3:
        counted_reverse(&a);
        break;
    default:
        counted_append(&a, &b);
    }
    assert(a.count == length(a.first));
    assert(b.count == length(b.first));
    psll_destroy(a.first);
    psll_destroy(b.first);
}

static void check_search(const struct bstree *t, long low, long high)
{
    if (t == NULL)
        return;
    assert(low <= t->data && t->data <= high);
    check_search(t->left, low, t->data - 1L);
    check_search(t->right, t->data + 1L, high);
}

static void search_trees(void)
{
    struct bstree *t = NULL;

    for (unsigned i = random_size(); i > 0; i--)
        t = bstree_insert(t, random_value());
    switch (random_below(5)) {
    case 0:
        t = search_insert(t, random_value());
        break;
    case 1:
        t = search_insert_rec(t, random_value());
        break;
    case 2:
        search_min(t);
        break;
    case 3:
        t = search_delmin(t);
        break;
    default:
        t = search_rotate(t);
    }
    check_search(t, INT_MIN, INT_MAX);
    bstree_destroy(t);
}

/* A red-black tree with that many black nodes on every way down; its root may be red if `red` says so. */
static struct rb_node *any_coloured(struct rb_node *up, int red, int height)
{
    struct rb_node *n;
    int is_red = red && random_below(2);

    if (height == 0 && !is_red)
        return NULL;
    n = malloc(sizeof *n);
    RB_PARENT(n) = up;
    RB_COLOUR(n) = is_red ? RB_RED : RB_BLACK;
    n->key = 0;
    RB_LEFT(n) = any_coloured(n, !is_red, is_red ? height : height - 1);
    RB_RIGHT(n) = any_coloured(n, !is_red, is_red ? height : height - 1);
    return n;
}

/* Returns the number of black nodes on every way down. */
static int check_coloured(struct rb_node *n, struct rb_node *up, int red)
{
    int height;

    if (n == NULL)
        return 0;
    assert(RB_PARENT(n) == up);
    assert(RB_COLOUR(n) == RB_BLACK || red);
    height = check_coloured(RB_LEFT(n), n, RB_COLOUR(n) == RB_BLACK);
    assert(check_coloured(RB_RIGHT(n), n, RB_COLOUR(n) == RB_BLACK) == height);
    return height + (RB_COLOUR(n) == RB_BLACK);
}

static void coloured_trees(void)
{
    int flips = (int)random_below(2), black = (int)random_below(2);
    struct rb_node *n = any_coloured(NULL, !flips, (int)random_below(4));

    if (flips && black)
        black_flip(n, NULL);
    else if (flips)
        colour_flip(n, NULL);
    else if (black)
        black_blacken(n);
    else
        colour_blacken(n);
    check_coloured(n, NULL, flips);
    rb_destroy(n);
}

static struct javl_node *any_high(int height)
{
    struct javl_node *n;

    if (height == 0)
        return NULL;
    n = javl_new_node(0);
    n->balance = height < 2 ? 0 : (int)random_below(3) - 1;
    n->link[0] = any_high(height - 1 - (n->balance > 0));
    n->link[1] = any_high(height - 1 - (n->balance < 0));
    return n;
}

static int check_high(const struct javl_node *n, int least, int most)
{
    int left, right;

    if (n == NULL)
        return 0;
    left = check_high(n->link[0], -1, 1);
    right = check_high(n->link[1], -1, 1);
    assert(n->balance == right - left);
    assert(least <= n->balance && n->balance <= most);
    return 1 + (left > right ? left : right);
}

static void destroy_high(struct javl_node *n)
{
    if (n == NULL)
        return;
    destroy_high(n->link[0]);
    destroy_high(n->link[1]);
    free(n);
}

static void high_trees(void)
{
    int height = (int)random_below(3);
    struct javl_node *n = javl_new_node(0), *up;

    n->balance = 2;
    n->link[0] = any_high(height);
    n->link[1] = any_high(height + 2);
    up = height_rotate(n);
    check_high(up, -1, up == n ? 2 : 1);
    destroy_high(up);
}

int main(int argc, char **argv)
{
    random_seed(argc, argv);
    for (int round = 0; round < ROUNDS * 10; round++) {
        switch (random_below(6)) {
        case 0:
            sorted_lists();
            break;
        case 1:
            bounded_lists();
            break;
        case 2:
            counted_lists();
            break;
        case 3:
            search_trees();
            break;
        case 4:
            coloured_trees();
            break;
        default:
            high_trees();
        }
    }
    return 0;
}
