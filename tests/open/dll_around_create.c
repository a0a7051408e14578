// Doubly-linked lists: creation and insertion.
void *malloc(unsigned long);
void free(void *);
struct dlink { struct dlink *next; int v; struct dlink *prev; };

struct dlink *one(int v) { //~ CONTRACT emp => \result -> struct dlink { v: v, next: 0, prev: 0 }
  struct dlink *n = malloc(sizeof *n);
  n->v = v;
  n->next = n->prev = 0;
  return n;
}

struct dlink *push(struct dlink *l, int v) { //~ CONTRACT
  struct dlink *n = one(v);
  n->next = l;
  if (l)
    l->prev = n;
  return n;
}

//~ CONTRACT emp => \result == 0 && n <= 0
//~ | \result -> struct dlink { next: x1, v: _, prev: 0 } * dlink_dll(x1, \result) && n >= 1
struct dlink *many(int n) {
  struct dlink *l = 0;
  while (n-- > 0)
    l = push(l, n);
  return l;
}

void insert_after(struct dlink *p, int v) { //~ CONTRACT
  struct dlink *n = one(v);
  n->prev = p;
  n->next = p->next;
  if (n->next)
    n->next->prev = n;
  p->next = n;
}

void insert_before(struct dlink *p, int v) { //~ CONTRACT
  struct dlink *n = one(v);
  n->next = p;
  n->prev = p->prev;
  if (n->prev)
    n->prev->next = n;
  p->prev = n;
}

struct dlink *push_back(struct dlink *l, int v) { //~ CONTRACT
  struct dlink *n = one(v), *p = l;
  if (!l)
    return n;
  while (p->next)
    p = p->next;
  p->next = n;
  n->prev = p;
  return l;
}
