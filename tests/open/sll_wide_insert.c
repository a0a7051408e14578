// Singly-linked lists with records and arrays around the link: insertion at the front, in the middle, at the end.
void *malloc(unsigned long);
void free(void *);
struct page { int lines[2]; struct page *next; struct { int v, w; } at; };

struct page *push(struct page *l, int v) { //~ CONTRACT emp => \result -> struct page { at.v: v, next: l, lines[0]: 0, lines[1]: 0, at.w: 0 }
  struct page *n = malloc(sizeof *n);
  n->at.v = v;
  n->lines[0] = n->lines[1] = n->at.w = 0;
  n->next = l;
  return n;
}

//~ CONTRACT l -> [8] { @0:8: x1 } => l -> [8] { @0:8: x } * x -> struct page { at.v: v, next: \old(x1), lines[0]: 0, lines[1]: 0, at.w: 0 }
void push_at(struct page **l, int v) {
  *l = push(*l, v);
}

void insert_after(struct page *p, int v) { //~ CONTRACT p -> struct page { next: x1, .. }
  p->next = push(p->next, v);
}

//~ CONTRACT page_list(l) => page_list(l) && \result == l && l != 0
//~ | \result -> struct page { lines[0]: 0, lines[1]: 0, next: 0, at.v: v, at.w: 0 } && l == 0
struct page *push_back(struct page *l, int v) {
  struct page *n = push(0, v), *p = l;
  if (!l)
    return n;
  while (p->next)
    p = p->next;
  p->next = n;
  return l;
}

//~ CONTRACT page_list(l) => \result -> struct page { lines[0]: 0, lines[1]: 0, next: 0, at.v: v, at.w: 0 } && l == 0
//~ | l -> struct page { lines[0]: _, lines[1]: _, next: x1, at.v: _, at.w: _ } * page_list(x1) && \result == l && x1 != 0
struct page *push_back_recursive(struct page *l, int v) {
  if (!l)
    return push(0, v);
  l->next = push_back_recursive(l->next, v);
  return l;
}

//~ CONTRACT page_list(l) => page_list(\result) && \result != null
struct page *insert_sorted(struct page *l, int v) {
  if (!l || l->at.v >= v)
    return push(l, v);
  struct page *p = l;
  while (p->next && p->next->at.v < v)
    p = p->next;
  p->next = push(p->next, v);
  return l;
}

//~ CONTRACT page_list(l) => \result -> struct page { lines[0]: 0, lines[1]: 0, next: 0, at.v: v, at.w: 0 } && l == 0
//~ | \result -> struct page { lines[0]: 0, lines[1]: 0, next: l, at.v: v, at.w: 0 } * page_list(l) && at == 0 && l != 0
//~ | page_list(l) && \result == l && l != 0 && at >= 1
struct page *insert_at(struct page *l, unsigned at, int v) {
  struct page *before = 0, *p = l;
  while (p && at-- > 0) {
    before = p;
    p = p->next;
  }
  struct page *n = push(p, v);
  if (!before)
    return n;
  before->next = n;
  return l;
}
