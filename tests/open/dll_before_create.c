// Doubly-linked lists: creation and insertion.
void *malloc(unsigned long);
void free(void *);
struct dnode { int v; struct dnode *next, *prev; };

struct dnode *one(int v) { //~ CONTRACT emp => \result -> struct dnode { v: v, next: 0, prev: 0 }
  struct dnode *n = malloc(sizeof *n);
  n->v = v;
  n->next = n->prev = 0;
  return n;
}

struct dnode *push(struct dnode *l, int v) { //~ CONTRACT
  struct dnode *n = one(v);
  n->next = l;
  if (l)
    l->prev = n;
  return n;
}

//~ CONTRACT emp => \result == 0 && n <= 0
//~ | \result -> struct dnode { v: _, next: x1, prev: 0 } * dnode_dll(x1, \result) && n >= 1
struct dnode *many(int n) {
  struct dnode *l = 0;
  while (n-- > 0)
    l = push(l, n);
  return l;
}

void insert_after(struct dnode *p, int v) { //~ CONTRACT
  struct dnode *n = one(v);
  n->prev = p;
  n->next = p->next;
  if (n->next)
    n->next->prev = n;
  p->next = n;
}

void insert_before(struct dnode *p, int v) { //~ CONTRACT
  struct dnode *n = one(v);
  n->next = p;
  n->prev = p->prev;
  if (n->prev)
    n->prev->next = n;
  p->prev = n;
}

struct dnode *push_back(struct dnode *l, int v) { //~ CONTRACT
  struct dnode *n = one(v), *p = l;
  if (!l)
    return n;
  while (p->next)
    p = p->next;
  p->next = n;
  n->prev = p;
  return l;
}
