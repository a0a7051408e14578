// Mistakes that are easily made with singly- and doubly-linked lists. Allocations may fail.
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
struct node { struct node *next; int v; };
struct dnode { struct dnode *next, *prev; int v; };
struct named { struct named *next; char *name; };

struct node *push_unchecked(struct node *l, int v) { //~ FINDING null-deref
  struct node *n = malloc(sizeof *n);
  n->v = v;
  n->next = l;
  return n;
}

void push_lost(struct node *l, int v) { //~ FINDING lost-block
  struct node *n = malloc(sizeof *n);
  if (!n)
    return;
  n->v = v;
  n->next = l;
  l = n;
}

struct node *push_no_link(int v) { //~ FINE the caller may set the link
  struct node *n = malloc(sizeof *n);
  if (n)
    n->v = v;
  return n;
}

int sum_new(int v) { //~ FINDING uninitialised
  struct node *n = malloc(sizeof *n);
  if (!n)
    return 0;
  int s = 0;
  n->v = v;
  for (struct node *p = n; p; p = p->next)
    s ^= p->v;
  free(n);
  return s;
}

void destroy_in_for(struct node *l) { //~ FINDING use-after-free
  for (; l; l = l->next)
    free(l);
}

struct node *pop_and_read(struct node *l, int *v) { //~ FINDING use-after-free
  if (!l)
    return 0;
  struct node *n = l->next;
  free(l);
  *v = l->v;
  return n;
}

void remove_next(struct node *p) { //~ FINDING use-after-free
  struct node *x = p->next;
  if (x) {
    free(x);
    p->next = x->next;
  }
}

void clear_twice(struct node *n) { //~ FINDING double-free
  free(n->next);
  free(n);
  if (n)
    free(n);
}

struct node *pair_leak(int a, int b) { //~ FINDING lost-block
  struct node *x = malloc(sizeof *x), *y = malloc(sizeof *y);
  if (!x || !y)
    return 0;
  x->v = a;
  x->next = y;
  y->v = b;
  y->next = 0;
  return x;
}

struct node *copy_one(struct node *n) { //~ MISSED null-deref
  struct node *c = malloc(sizeof *c);
  if (!n)
    return 0;
  c->v = n->v;
  c->next = 0;
  return c;
}

int inverted_test(struct node *l) { //~ MISSED null-deref
  if (!l)
    return l->v;
  return 0;
}

int test_too_late(struct node *l) { //~ FINE whoever calls may have a node
  int v = l->v;
  if (!l)
    return 0;
  return v;
}

int assigned_null(struct node *l, int v) { //~ FINDING null-deref
  struct node *found = 0;
  for (; l; l = l->next)
    if (l->v == v)
      break;
  return found->v;
}

struct dnode *push_prev_lost(struct dnode *l, int v) { //~ FINDING null-deref
  struct dnode *n = calloc(1, sizeof *n);
  if (!n)
    return l;
  n->v = v;
  n->next = l;
  n->prev->next = n;
  return n;
}

void unlink_freed(struct dnode *n) { //~ FINDING use-after-free
  free(n);
  if (n->prev)
    n->prev->next = n->next;
}

void destroy_both(struct dnode *n) { //~ MISSED double-free
  struct dnode *old = n;
  while (n) {
    struct dnode *m = n->next;
    free(n);
    n = m;
  }
  if (old)
    free(old);
}

struct named *make_named(unsigned long size) { //~ FINDING lost-block
  struct named *n = malloc(sizeof *n);
  if (!n)
    return 0;
  n->name = malloc(16);
  n->next = 0;
  if (!n->name)
    return 0;
  n->name[0] = 0;
  return n;
}

void free_named(struct named *n) { //~ FINDING use-after-free
  free(n);
  free(n->name);
}

char *text_overrun(void) { //~ FINDING out-of-bounds
  char *t = malloc(16);
  if (!t)
    return 0;
  for (int i = 0; i <= 16; i++)
    t[i] = 0;
  return t;
}

struct node *wrong_size(int v) { //~ FINDING out-of-bounds
  struct node *n = malloc(sizeof n);
  if (!n)
    return 0;
  n->next = 0;
  n->v = v;
  return n;
}

struct node *array_of(int n) { //~ FINDING null-deref
  struct node *all = calloc(4, sizeof *all);
  all[0].next = &all[1];
  all[1].next = 0;
  return all;
}
