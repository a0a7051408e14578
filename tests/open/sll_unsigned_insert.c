// Singly-linked lists with one byte before the link: insertion at the front, in the middle, at the end.
void *malloc(unsigned long);
void free(void *);
struct count { unsigned char v; struct count *next; };

struct count *push(struct count *l, unsigned char v) { //~ CONTRACT emp => \result -> struct count { v: v, next: l }
  struct count *n = malloc(sizeof *n);
  n->v = v;
  n->next = l;
  return n;
}

//~ CONTRACT l -> [8] { @0:8: x1 } => l -> [8] { @0:8: x } * x -> struct count { v: v, next: \old(x1) }
void push_at(struct count **l, unsigned char v) {
  *l = push(*l, v);
}

void insert_after(struct count *p, unsigned char v) { //~ CONTRACT p -> struct count { next: x1, .. }
  p->next = push(p->next, v);
}

//~ CONTRACT count_list(l) => count_list(l) && \result == l && l != 0
//~ | \result -> struct count { v: v, next: 0 } && l == 0
struct count *push_back(struct count *l, unsigned char v) {
  struct count *n = push(0, v), *p = l;
  if (!l)
    return n;
  while (p->next)
    p = p->next;
  p->next = n;
  return l;
}

//~ CONTRACT count_list(l) => \result -> struct count { v: v, next: 0 } && l == 0
//~ | l -> struct count { v: _, next: x1 } * count_list(x1) && \result == l && x1 != 0
struct count *push_back_recursive(struct count *l, unsigned char v) {
  if (!l)
    return push(0, v);
  l->next = push_back_recursive(l->next, v);
  return l;
}

//~ CONTRACT count_list(l) => count_list(\result) && \result != 0 && v >= 1
//~ | \result -> struct count { v: v, next: 0 }
//~ | \result -> struct count { v: v, next: x1 } * count_list(x1) && x1 != 0
struct count *insert_sorted(struct count *l, unsigned char v) {
  if (!l || l->v >= v)
    return push(l, v);
  struct count *p = l;
  while (p->next && p->next->v < v)
    p = p->next;
  p->next = push(p->next, v);
  return l;
}

//~ CONTRACT count_list(l) => \result -> struct count { v: v, next: 0 } && l == 0
//~ | \result -> struct count { v: v, next: l } * count_list(l) && at == 0 && l != 0
//~ | count_list(l) && \result == l && l != 0 && at >= 1
struct count *insert_at(struct count *l, unsigned at, unsigned char v) {
  struct count *before = 0, *p = l;
  while (p && at-- > 0) {
    before = p;
    p = p->next;
  }
  struct count *n = push(p, v);
  if (!before)
    return n;
  before->next = n;
  return l;
}
