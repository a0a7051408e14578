// Singly-linked lists with data before the link: insertion at the front, in the middle, at the end.
void *malloc(unsigned long);
void free(void *);
struct node { int v; struct node *next; };

struct node *push(struct node *l, int v) { //~ CONTRACT emp => \result -> struct node { v: v, next: l }
  struct node *n = malloc(sizeof *n);
  n->v = v;
  n->next = l;
  return n;
}

//~ CONTRACT l -> [8] { @0:8: x1 } => l -> [8] { @0:8: x } * x -> struct node { v: v, next: \old(x1) }
void push_at(struct node **l, int v) {
  *l = push(*l, v);
}

void insert_after(struct node *p, int v) { //~ CONTRACT p -> struct node { next: x1, .. }
  p->next = push(p->next, v);
}

//~ CONTRACT node_list(l) => node_list(l) && \result == l && l != 0
//~ | \result -> struct node { v: v, next: 0 } && l == 0
struct node *push_back(struct node *l, int v) {
  struct node *n = push(0, v), *p = l;
  if (!l)
    return n;
  while (p->next)
    p = p->next;
  p->next = n;
  return l;
}

//~ CONTRACT node_list(l) => \result -> struct node { v: v, next: 0 } && l == 0
//~ | l -> struct node { v: _, next: x1 } * node_list(x1) && \result == l && x1 != 0
struct node *push_back_recursive(struct node *l, int v) {
  if (!l)
    return push(0, v);
  l->next = push_back_recursive(l->next, v);
  return l;
}

//~ CONTRACT node_list(l) => node_list(\result) && \result != null
struct node *insert_sorted(struct node *l, int v) {
  if (!l || l->v >= v)
    return push(l, v);
  struct node *p = l;
  while (p->next && p->next->v < v)
    p = p->next;
  p->next = push(p->next, v);
  return l;
}

//~ CONTRACT node_list(l) => \result -> struct node { v: v, next: 0 } && l == 0
//~ | \result -> struct node { v: v, next: l } * node_list(l) && at == 0 && l != 0
//~ | node_list(l) && \result == l && l != 0 && at >= 1
struct node *insert_at(struct node *l, unsigned at, int v) {
  struct node *before = 0, *p = l;
  while (p && at-- > 0) {
    before = p;
    p = p->next;
  }
  struct node *n = push(p, v);
  if (!before)
    return n;
  before->next = n;
  return l;
}
