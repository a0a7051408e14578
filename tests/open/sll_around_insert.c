// Singly-linked lists with data before and after the link: insertion at the front, in the middle, at the end.
void *malloc(unsigned long);
void free(void *);
struct link { char tag; struct link *next; short v; };

struct link *push(struct link *l, short v) { //~ CONTRACT emp => \result -> struct link { v: v, next: l, tag: 0 }
  struct link *n = malloc(sizeof *n);
  n->v = v;
  n->tag = 0;
  n->next = l;
  return n;
}

//~ CONTRACT l -> [8] { @0:8: x1 } => l -> [8] { @0:8: x } * x -> struct link { v: v, next: \old(x1), tag: 0 }
void push_at(struct link **l, short v) {
  *l = push(*l, v);
}

void insert_after(struct link *p, short v) { //~ CONTRACT p -> struct link { next: x1, .. }
  p->next = push(p->next, v);
}

//~ CONTRACT link_list(l) => link_list(l) && \result == l && l != 0
//~ | \result -> struct link { tag: 0, next: 0, v: v } && l == 0
struct link *push_back(struct link *l, short v) {
  struct link *n = push(0, v), *p = l;
  if (!l)
    return n;
  while (p->next)
    p = p->next;
  p->next = n;
  return l;
}

//~ CONTRACT link_list(l) => \result -> struct link { tag: 0, next: 0, v: v } && l == 0
//~ | l -> struct link { tag: _, next: x1, v: _ } * link_list(x1) && \result == l && x1 != 0
struct link *push_back_recursive(struct link *l, short v) {
  if (!l)
    return push(0, v);
  l->next = push_back_recursive(l->next, v);
  return l;
}

//~ CONTRACT link_list(l) => link_list(\result) && \result != null
struct link *insert_sorted(struct link *l, short v) {
  if (!l || l->v >= v)
    return push(l, v);
  struct link *p = l;
  while (p->next && p->next->v < v)
    p = p->next;
  p->next = push(p->next, v);
  return l;
}

//~ CONTRACT link_list(l) => \result -> struct link { tag: 0, next: 0, v: v } && l == 0
//~ | \result -> struct link { tag: 0, next: l, v: v } * link_list(l) && at == 0 && l != 0
//~ | link_list(l) && \result == l && l != 0 && at >= 1
struct link *insert_at(struct link *l, unsigned at, short v) {
  struct link *before = 0, *p = l;
  while (p && at-- > 0) {
    before = p;
    p = p->next;
  }
  struct link *n = push(p, v);
  if (!before)
    return n;
  before->next = n;
  return l;
}
