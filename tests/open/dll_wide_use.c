// Doubly-linked lists: traversal, search, deletion, destruction.
void *malloc(unsigned long);
void free(void *);
struct dwide { long pad[2]; int v; struct dwide *next, *prev; };

int sum(struct dwide *l) { //~ CONTRACT dwide_list(l) => dwide_list(l)
  int s = 0;
  for (; l; l = l->next)
    s ^= l->v;
  return s;
}

struct dwide *first(struct dwide *l) { //~ CONTRACT
  while (l && l->prev)
    l = l->prev;
  return l;
}

int there_and_back(struct dwide *l) { //~ CONTRACT
  int s = 0;
  struct dwide *last = 0;
  for (struct dwide *p = l; p; p = p->next)
    last = p;
  for (; last; last = last->prev)
    s ^= last->v;
  return s;
}

struct dwide *find(struct dwide *l, int v) { //~ CONTRACT dwide_list(l)
  while (l && l->v != v)
    l = l->next;
  return l;
}

void unlink(struct dwide *n) { //~ CONTRACT
  if (n->prev)
    n->prev->next = n->next;
  if (n->next)
    n->next->prev = n->prev;
  n->next = n->prev = 0;
}

struct dwide *pop(struct dwide *l) { //~ CONTRACT
  if (!l)
    return 0;
  struct dwide *n = l->next;
  if (n)
    n->prev = 0;
  free(l);
  return n;
}

struct dwide *remove_value(struct dwide *l, int v) { //~ CONTRACT
  struct dwide *x = l;
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

struct dwide *reverse(struct dwide *l) { //~ CONTRACT
  struct dwide *r = 0;
  while (l) {
    struct dwide *n = l->next;
    l->next = l->prev;
    l->prev = n;
    r = l;
    l = n;
  }
  return r;
}

struct dwide *concat(struct dwide *a, struct dwide *b) { //~ CONTRACT
  if (!a)
    return b;
  struct dwide *p = a;
  while (p->next)
    p = p->next;
  p->next = b;
  if (b)
    b->prev = p;
  return a;
}

void destroy(struct dwide *l) { //~ CONTRACT dwide_list(l) => emp
  while (l) {
    struct dwide *n = l->next;
    free(l);
    l = n;
  }
}
