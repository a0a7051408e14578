// Singly-linked lists with data after the link: insertion at the front, in the middle, at the end.
void *malloc(unsigned long);
void free(void *);
struct cell { struct cell *next; long v; };

struct cell *push(struct cell *l, long v) { //~ CONTRACT emp => \result -> struct cell { v: v, next: l }
  struct cell *n = malloc(sizeof *n);
  n->v = v;
  n->next = l;
  return n;
}

//~ CONTRACT l -> [8] { @0:8: x1 } => l -> [8] { @0:8: x } * x -> struct cell { v: v, next: \old(x1) }
void push_at(struct cell **l, long v) {
  *l = push(*l, v);
}

void insert_after(struct cell *p, long v) { //~ CONTRACT p -> struct cell { next: x1, .. }
  p->next = push(p->next, v);
}

//~ CONTRACT cell_list(l) => cell_list(l) && \result == l && l != 0
//~ | \result -> struct cell { next: 0, v: v } && l == 0
struct cell *push_back(struct cell *l, long v) {
  struct cell *n = push(0, v), *p = l;
  if (!l)
    return n;
  while (p->next)
    p = p->next;
  p->next = n;
  return l;
}

//~ CONTRACT cell_list(l) => \result -> struct cell { next: 0, v: v } && l == 0
//~ | l -> struct cell { next: x1, v: _ } * cell_list(x1) && \result == l && x1 != 0
struct cell *push_back_recursive(struct cell *l, long v) {
  if (!l)
    return push(0, v);
  l->next = push_back_recursive(l->next, v);
  return l;
}

//~ CONTRACT cell_list(l) => cell_list(\result) && \result != null
struct cell *insert_sorted(struct cell *l, long v) {
  if (!l || l->v >= v)
    return push(l, v);
  struct cell *p = l;
  while (p->next && p->next->v < v)
    p = p->next;
  p->next = push(p->next, v);
  return l;
}

//~ CONTRACT cell_list(l) => \result -> struct cell { next: 0, v: v } && l == 0
//~ | \result -> struct cell { next: l, v: v } * cell_list(l) && at == 0 && l != 0
//~ | cell_list(l) && \result == l && l != 0 && at >= 1
struct cell *insert_at(struct cell *l, unsigned at, long v) {
  struct cell *before = 0, *p = l;
  while (p && at-- > 0) {
    before = p;
    p = p->next;
  }
  struct cell *n = push(p, v);
  if (!before)
    return n;
  before->next = n;
  return l;
}
