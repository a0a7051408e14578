// Doubly-linked lists: creation and insertion.
void *malloc(unsigned long);
void free(void *);
struct dwide { long pad[2]; int v; struct dwide *next, *prev; };

struct dwide *one(int v) { //~ CONTRACT emp => \result -> struct dwide { v: v, next: 0, prev: 0, pad[0]: 0, pad[1]: 0 }
  struct dwide *n = malloc(sizeof *n);
  n->v = v;
  n->pad[0] = n->pad[1] = 0;
  n->next = n->prev = 0;
  return n;
}

struct dwide *push(struct dwide *l, int v) { //~ CONTRACT
  struct dwide *n = one(v);
  n->next = l;
  if (l)
    l->prev = n;
  return n;
}

//~ CONTRACT emp => \result == 0 && n <= 0
//~ | \result -> struct dwide { pad[0]: 0, pad[1]: 0, v: _, next: x1, prev: 0 } * dwide_dll(x1, \result) && n >= 1
struct dwide *many(int n) {
  struct dwide *l = 0;
  while (n-- > 0)
    l = push(l, n);
  return l;
}

void insert_after(struct dwide *p, int v) { //~ CONTRACT
  struct dwide *n = one(v);
  n->prev = p;
  n->next = p->next;
  if (n->next)
    n->next->prev = n;
  p->next = n;
}

void insert_before(struct dwide *p, int v) { //~ CONTRACT
  struct dwide *n = one(v);
  n->next = p;
  n->prev = p->prev;
  if (n->prev)
    n->prev->next = n;
  p->prev = n;
}

struct dwide *push_back(struct dwide *l, int v) { //~ CONTRACT
  struct dwide *n = one(v), *p = l;
  if (!l)
    return n;
  while (p->next)
    p = p->next;
  p->next = n;
  n->prev = p;
  return l;
}
