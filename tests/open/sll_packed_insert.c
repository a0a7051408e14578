// Singly-linked lists with a link that is not aligned: insertion at the front, in the middle, at the end.
void *malloc(unsigned long);
void free(void *);
struct __attribute__((packed)) pack { char tag; struct pack *next; int v; };

struct pack *push(struct pack *l, int v) { //~ CONTRACT emp => \result -> struct pack { v: v, next: l, tag: 0 }
  struct pack *n = malloc(sizeof *n);
  n->v = v;
  n->tag = 0;
  n->next = l;
  return n;
}

//~ CONTRACT l -> [8] { @0:8: x1 } => l -> [8] { @0:8: x } * x -> struct pack { v: v, next: \old(x1), tag: 0 }
void push_at(struct pack **l, int v) {
  *l = push(*l, v);
}

void insert_after(struct pack *p, int v) { //~ CONTRACT p -> struct pack { next: x1, .. }
  p->next = push(p->next, v);
}

//~ CONTRACT pack_list(l) => pack_list(l) && \result == l && l != 0
//~ | \result -> struct pack { tag: 0, next: 0, v: v } && l == 0
struct pack *push_back(struct pack *l, int v) {
  struct pack *n = push(0, v), *p = l;
  if (!l)
    return n;
  while (p->next)
    p = p->next;
  p->next = n;
  return l;
}

//~ CONTRACT pack_list(l) => \result -> struct pack { tag: 0, next: 0, v: v } && l == 0
//~ | l -> struct pack { tag: _, next: x1, v: _ } * pack_list(x1) && \result == l && x1 != 0
struct pack *push_back_recursive(struct pack *l, int v) {
  if (!l)
    return push(0, v);
  l->next = push_back_recursive(l->next, v);
  return l;
}

//~ CONTRACT pack_list(l) => pack_list(\result) && \result != null
struct pack *insert_sorted(struct pack *l, int v) {
  if (!l || l->v >= v)
    return push(l, v);
  struct pack *p = l;
  while (p->next && p->next->v < v)
    p = p->next;
  p->next = push(p->next, v);
  return l;
}

//~ CONTRACT pack_list(l) => \result -> struct pack { tag: 0, next: 0, v: v } && l == 0
//~ | \result -> struct pack { tag: 0, next: l, v: v } * pack_list(l) && at == 0 && l != 0
//~ | pack_list(l) && \result == l && l != 0 && at >= 1
struct pack *insert_at(struct pack *l, unsigned at, int v) {
  struct pack *before = 0, *p = l;
  while (p && at-- > 0) {
    before = p;
    p = p->next;
  }
  struct pack *n = push(p, v);
  if (!before)
    return n;
  before->next = n;
  return l;
}
