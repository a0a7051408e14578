// Doubly-linked lists: traversal, search, deletion, destruction.
void *malloc(unsigned long);
void free(void *);
struct dlink { struct dlink *next; int v; struct dlink *prev; };

int sum(struct dlink *l) { //~ CONTRACT dlink_list(l) => dlink_list(l)
  int s = 0;
  for (; l; l = l->next)
    s ^= l->v;
  return s;
}

struct dlink *first(struct dlink *l) { //~ CONTRACT
  while (l && l->prev)
    l = l->prev;
  return l;
}

int there_and_back(struct dlink *l) { //~ CONTRACT
  int s = 0;
  struct dlink *last = 0;
  for (struct dlink *p = l; p; p = p->next)
    last = p;
  for (; last; last = last->prev)
    s ^= last->v;
  return s;
}

struct dlink *find(struct dlink *l, int v) { //~ CONTRACT dlink_list(l)
  while (l && l->v != v)
    l = l->next;
  return l;
}

void unlink(struct dlink *n) { //~ CONTRACT
  if (n->prev)
    n->prev->next = n->next;
  if (n->next)
    n->next->prev = n->prev;
  n->next = n->prev = 0;
}

struct dlink *pop(struct dlink *l) { //~ CONTRACT
  if (!l)
    return 0;
  struct dlink *n = l->next;
  if (n)
    n->prev = 0;
  free(l);
  return n;
}

struct dlink *remove_value(struct dlink *l, int v) { //~ CONTRACT
  struct dlink *x = l;
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

struct dlink *reverse(struct dlink *l) { //~ CONTRACT
  struct dlink *r = 0;
  while (l) {
    struct dlink *n = l->next;
    l->next = l->prev;
    l->prev = n;
    r = l;
    l = n;
  }
  return r;
}

struct dlink *concat(struct dlink *a, struct dlink *b) { //~ CONTRACT
  if (!a)
    return b;
  struct dlink *p = a;
  while (p->next)
    p = p->next;
  p->next = b;
  if (b)
    b->prev = p;
  return a;
}

void destroy(struct dlink *l) { //~ CONTRACT dlink_list(l) => emp
  while (l) {
    struct dlink *n = l->next;
    free(l);
    l = n;
  }
}
