// Doubly-linked lists: traversal, search, deletion, destruction.
void *malloc(unsigned long);
void free(void *);
struct dnode { int v; struct dnode *next, *prev; };

int sum(struct dnode *l) { //~ CONTRACT dnode_list(l) => dnode_list(l)
  int s = 0;
  for (; l; l = l->next)
    s ^= l->v;
  return s;
}

struct dnode *first(struct dnode *l) { //~ CONTRACT
  while (l && l->prev)
    l = l->prev;
  return l;
}

int there_and_back(struct dnode *l) { //~ CONTRACT
  int s = 0;
  struct dnode *last = 0;
  for (struct dnode *p = l; p; p = p->next)
    last = p;
  for (; last; last = last->prev)
    s ^= last->v;
  return s;
}

struct dnode *find(struct dnode *l, int v) { //~ CONTRACT dnode_list(l)
  while (l && l->v != v)
    l = l->next;
  return l;
}

void unlink(struct dnode *n) { //~ CONTRACT
  if (n->prev)
    n->prev->next = n->next;
  if (n->next)
    n->next->prev = n->prev;
  n->next = n->prev = 0;
}

struct dnode *pop(struct dnode *l) { //~ CONTRACT
  if (!l)
    return 0;
  struct dnode *n = l->next;
  if (n)
    n->prev = 0;
  free(l);
  return n;
}

struct dnode *remove_value(struct dnode *l, int v) { //~ CONTRACT
  struct dnode *x = l;
  while (x && x->v != v)
    x = x->next;
  if (!x)
    return l;
  if (x->prev)
    x->prev->next = x->next;
  else
    l = x->next;
  if (x->next)
    x->next->prev = x->prev;
  free(x);
  return l;
}

struct dnode *reverse(struct dnode *l) { //~ CONTRACT
  struct dnode *r = 0;
  while (l) {
    struct dnode *n = l->next;
    l->next = l->prev;
    l->prev = n;
    r = l;
    l = n;
  }
  return r;
}

struct dnode *concat(struct dnode *a, struct dnode *b) { //~ CONTRACT
  if (!a)
    return b;
  struct dnode *p = a;
  while (p->next)
    p = p->next;
  p->next = b;
  if (b)
    b->prev = p;
  return a;
}

void destroy(struct dnode *l) { //~ CONTRACT dnode_list(l) => emp
  while (l) {
    struct dnode *n = l->next;
    free(l);
    l = n;
  }
}
