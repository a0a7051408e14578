// Doubly-linked lists: creation and insertion.
void *malloc(unsigned long);
void free(void *);
struct dcell { struct dcell *prev, *next; int v; };

struct dcell *one(int v) { //~ CONTRACT emp => \result -> struct dcell { v: v, next: 0, prev: 0 }
  struct dcell *n = malloc(sizeof *n);
  n->v = v;
  n->next = n->prev = 0;
  return n;
}

struct dcell *push(struct dcell *l, int v) { //~ CONTRACT
  struct dcell *n = one(v);
  n->next = l;
  if (l)
    l->prev = n;
  return n;
}

//~ CONTRACT emp => \result == 0 && n <= 0
//~ | \result -> struct dcell { prev: 0, next: x1, v: _ } * dcell_dll_next_prev(x1, \result) && n >= 1
struct dcell *many(int n) {
  struct dcell *l = 0;
  while (n-- > 0)
    l = push(l, n);
  return l;
}

void insert_after(struct dcell *p, int v) { //~ CONTRACT
  struct dcell *n = one(v);
  n->prev = p;
  n->next = p->next;
  if (n->next)
    n->next->prev = n;
  p->next = n;
}

void insert_before(struct dcell *p, int v) { //~ CONTRACT
  struct dcell *n = one(v);
  n->next = p;
  n->prev = p->prev;
  if (n->prev)
    n->prev->next = n;
  p->prev = n;
}

struct dcell *push_back(struct dcell *l, int v) { //~ CONTRACT
  struct dcell *n = one(v), *p = l;
  if (!l)
    return n;
  while (p->next)
    p = p->next;
  p->next = n;
  n->prev = p;
  return l;
}
