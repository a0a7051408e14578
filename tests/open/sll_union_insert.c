// Singly-linked lists with a union before the link: insertion at the front, in the middle, at the end.
void *malloc(unsigned long);
void free(void *);
struct either { union { long v; char text[8]; }; struct either *next; };

//~ CONTRACT emp => \result -> struct either { v: v, next: l }
struct either *push(struct either *l, long v) {
  struct either *n = malloc(sizeof *n);
  n->v = v;
  n->next = l;
  return n;
}

//~ CONTRACT l -> [8] { @0:8: x1 } => l -> [8] { @0:8: x2 } * x2 -> struct either { v: v, next: \old(x1) }
void push_at(struct either **l, long v) {
  *l = push(*l, v);
}

void insert_after(struct either *p, long v) { //~ CONTRACT p -> struct either { next: x1, .. }
  p->next = push(p->next, v);
}

//~ CONTRACT either_list(l) => either_list(l) && \result == l && l != 0
//~ | \result -> struct either { v: v, next: 0 } && l == 0
struct either *push_back(struct either *l, long v) {
  struct either *n = push(0, v), *p = l;
  if (!l)
    return n;
  while (p->next)
    p = p->next;
  p->next = n;
  return l;
}

//~ CONTRACT either_list(l) => \result -> struct either { v: v, next: 0 } && l == 0
//~ | l -> struct either { v: _, next: x1 } * either_list(x1) && \result == l && x1 != 0
struct either *push_back_recursive(struct either *l, long v) {
  if (!l)
    return push(0, v);
  l->next = push_back_recursive(l->next, v);
  return l;
}

//~ CONTRACT either_list(l) => either_list(\result) && \result != null
struct either *insert_sorted(struct either *l, long v) {
  if (!l || l->v >= v)
    return push(l, v);
  struct either *p = l;
  while (p->next && p->next->v < v)
    p = p->next;
  p->next = push(p->next, v);
  return l;
}

//~ CONTRACT either_list(l) => \result -> struct either { v: v, next: 0 } && l == 0
//~ | \result -> struct either { v: v, next: l } * either_list(l) && at == 0 && l != 0
//~ | either_list(l) && \result == l && l != 0 && at >= 1
struct either *insert_at(struct either *l, unsigned at, long v) {
  struct either *before = 0, *p = l;
  while (p && at-- > 0) {
    before = p;
    p = p->next;
  }
  struct either *n = push(p, v);
  if (!before)
    return n;
  before->next = n;
  return l;
}
