// Singly-linked lists: create, traverse, insert, delete, search, reverse, concatenate, destroy.
void *malloc(unsigned long);
void free(void *);
struct node { int v; struct node *next; };

struct node *create(int v) { //~ CONTRACT emp => \result -> struct node { v: v, next: 0 }
  struct node *n = malloc(sizeof *n);
  n->v = v;
  n->next = 0;
  return n;
}

struct node *push_front(struct node *l, int v) { //~ CONTRACT emp => \result -> struct node { v: v, next: l }
  struct node *n = malloc(sizeof *n);
  n->v = v;
  n->next = l;
  return n;
}

int sum(struct node *l) { //~ CONTRACT node_list(l) => node_list(l)
  int s = 0;
  while (l) {
    s ^= l->v;
    l = l->next;
  }
  return s;
}

int length(const struct node *l) { //~ CONTRACT node_list(l)
  int n = 0;
  for (; l; l = l->next)
    n = (n + 1) & 0xffff;
  return n;
}

struct node *find(struct node *l, int v) { //~ CONTRACT node_list(l)
  while (l && l->v != v)
    l = l->next;
  return l;
}

struct node *last(struct node *l) { //~ CONTRACT node_list(l) && l != null
  while (l->next)
    l = l->next;
  return l;
}

struct node *reverse(struct node *l) { //~ CONTRACT node_list(l) => node_list(\result)
  struct node *r = 0;
  while (l) {
    struct node *n = l->next;
    l->next = r;
    r = l;
    l = n;
  }
  return r;
}

struct node *push_back(struct node *l, int v) { //~ CONTRACT node_list(l)
  struct node *n = create(v);
  if (!l)
    return n;
  struct node *p = l;
  while (p->next)
    p = p->next;
  p->next = n;
  return l;
}

void insert_after(struct node *p, int v) { //~ CONTRACT p -> struct node { next: x1, .. } => p -> struct node { v: _, next: x2 } * x2 -> struct node { v: v, next: \old(x1) }
  struct node *n = malloc(sizeof *n);
  n->v = v;
  n->next = p->next;
  p->next = n;
}

struct node *pop(struct node *l) { //~ CONTRACT
  if (!l)
    return 0;
  struct node *n = l->next;
  free(l);
  return n;
}

void remove_after(struct node *p) { //~ CONTRACT
  struct node *x = p->next;
  if (x) {
    p->next = x->next;
    free(x);
  }
}

struct node *remove(struct node *l, int v) { //~ CONTRACT node_list(l) => l == 0 && \result == 0 | node_list(\result) && l != 0
  struct node *p = 0, *x = l;
  while (x && x->v != v) {
    p = x;
    x = x->next;
  }
  if (!x)
    return l;
  if (p)
    p->next = x->next;
  else
    l = x->next;
  free(x);
  return l;
}

struct node *concat(struct node *a, struct node *b) { //~ CONTRACT node_list(a)
  if (!a)
    return b;
  struct node *p = a;
  while (p->next)
    p = p->next;
  p->next = b;
  return a;
}

void destroy(struct node *l) { //~ CONTRACT node_list(l) => emp
  while (l) {
    struct node *n = l->next;
    free(l);
    l = n;
  }
}

struct node *copy(struct node *l) { //~ CONTRACT node_list(l)
  struct node *r = 0;
  for (; l; l = l->next)
    r = push_front(r, l->v);
  return reverse(r);
}

struct node *create_many(int n) { //~ CONTRACT emp
  struct node *l = 0;
  while (n-- > 0)
    l = push_front(l, n);
  return l;
}

int second(struct node *l) { //~ CONTRACT
  return l->next->v;
}

void set(struct node *n, int v) { //~ CONTRACT n -> struct node { }
  n->v = v;
}

int get(struct node *n) { return n ? n->v : 0; } //~ CONTRACT n == null | n -> struct node { next: x1, .. }

int sum_recursive(struct node *l) { //~ CONTRACT node_list(l)
  return l ? l->v ^ sum_recursive(l->next) : 0;
}

void destroy_recursive(struct node *l) { //~ CONTRACT node_list(l) => emp
  if (l) {
    destroy_recursive(l->next);
    free(l);
  }
}

void push_to(struct node **at, int v) { //~ CONTRACT
  struct node *n = malloc(sizeof *n);
  n->v = v;
  n->next = *at;
  *at = n;
}

struct node *insert_sorted(struct node *l, int v) { //~ CONTRACT node_list(l)
  struct node *n = create(v);
  if (!l || l->v >= v) {
    n->next = l;
    return n;
  }
  struct node *p = l;
  while (p->next && p->next->v < v)
    p = p->next;
  n->next = p->next;
  p->next = n;
  return l;
}

struct node *merge(struct node *a, struct node *b) { //~ CONTRACT node_list(a); node_list(b) => node_list(\result)
  struct node head;
  struct node *t = &head;
  head.next = 0;
  while (a && b) {
    if (a->v < b->v) {
      t->next = a;
      a = a->next;
    } else {
      t->next = b;
      b = b->next;
    }
    t = t->next;
  }
  t->next = a ? a : b;
  return head.next;
}

static struct node *all;

void remember(int v) { //~ CONTRACT
  all = push_front(all, v);
}

int count_all(void) { //~ CONTRACT node_list(all)
  int n = 0;
  for (struct node *p = all; p; p = p->next)
    n = (n + 1) & 0xffff;
  return n;
}

void forget_all(void) { //~ CONTRACT node_list(all)
  while (all) {
    struct node *n = all->next;
    free(all);
    all = n;
  }
}
