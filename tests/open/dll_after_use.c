// Doubly-linked lists: traversal, search, deletion, destruction.
void *malloc(unsigned long);
void free(void *);
struct dcell { struct dcell *prev, *next; int v; };

int sum(struct dcell *l) { //~ CONTRACT dcell_list_next(l) => dcell_list_next(l)
  int s = 0;
  for (; l; l = l->next)
    s ^= l->v;
  return s;
}

struct dcell *first(struct dcell *l) { //~ CONTRACT
  while (l && l->prev)
    l = l->prev;
  return l;
}

int there_and_back(struct dcell *l) { //~ CONTRACT
  int s = 0;
  struct dcell *last = 0;
  for (struct dcell *p = l; p; p = p->next)
    last = p;
  for (; last; last = last->prev)
    s ^= last->v;
  return s;
}

struct dcell *find(struct dcell *l, int v) { //~ CONTRACT dcell_list_next(l)
  while (l && l->v != v)
    l = l->next;
  return l;
}

void unlink(struct dcell *n) { //~ CONTRACT
  if (n->prev)
    n->prev->next = n->next;
  if (n->next)
    n->next->prev = n->prev;
  n->next = n->prev = 0;
}

struct dcell *pop(struct dcell *l) { //~ CONTRACT
  if (!l)
    return 0;
  struct dcell *n = l->next;
  if (n)
    n->prev = 0;
  free(l);
  return n;
}

struct dcell *remove_value(struct dcell *l, int v) { //~ CONTRACT
  struct dcell *x = l;
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

struct dcell *reverse(struct dcell *l) { //~ CONTRACT
  struct dcell *r = 0;
  while (l) {
    struct dcell *n = l->next;
    l->next = l->prev;
    l->prev = n;
    r = l;
    l = n;
  }
  return r;
}

struct dcell *concat(struct dcell *a, struct dcell *b) { //~ CONTRACT
  if (!a)
    return b;
  struct dcell *p = a;
  while (p->next)
    p = p->next;
  p->next = b;
  if (b)
    b->prev = p;
  return a;
}

void destroy(struct dcell *l) { //~ CONTRACT dcell_list_next(l) => emp
  while (l) {
    struct dcell *n = l->next;
    free(l);
    l = n;
  }
}
