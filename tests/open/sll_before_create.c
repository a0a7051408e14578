// Singly-linked lists with data before the link: creation.
void *malloc(unsigned long);
void free(void *);
struct node { int v; struct node *next; };

struct node *one(int v) { //~ CONTRACT emp => \result -> struct node { v: v, next: 0 }
  struct node *n = malloc(sizeof *n);
  n->v = v;
  n->next = 0;
  return n;
}

struct node *two(int v, int w) { //~ CONTRACT emp => \result -> struct node { v: v, next: x } * x -> struct node { v: w, next: 0 }
  struct node *n = one(v);
  n->next = one(w);
  return n;
}

//~ CONTRACT emp => \result == 0 && n <= 0
//~ | \result -> struct node { v: _, next: x1 } * node_list(x1) && n >= 1
struct node *many(int n) {
  struct node *l = 0;
  while (n-- > 0) {
    struct node *c = one((int)n);
    c->next = l;
    l = c;
  }
  return l;
}

//~ CONTRACT emp => \result == 0 && n <= 0
//~ | node_list(\result) && \result != 0 && n >= 1
struct node *in_order(int n) {
  struct node *first = 0, *last = 0;
  for (int i = 0; i < n; i++) {
    struct node *c = one((int)i);
    if (last)
      last->next = c;
    else
      first = c;
    last = c;
  }
  return first;
}

//~ CONTRACT node_list(l) => node_list(l) * node_list(\result)
struct node *copy(struct node *l) {
  struct node *r = 0, **end = &r;
  for (; l; l = l->next) {
    struct node *c = malloc(sizeof *c);
    c->v = l->v;
    c->next = 0;
    *end = c;
    end = &c->next;
  }
  return r;
}
