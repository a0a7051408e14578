// Rings of doubly-linked elements around a sentinel.
void *malloc(unsigned long);
void free(void *);
struct item { struct item *next, *prev; int v; };

void init(struct item *h) { //~ CONTRACT h -> struct item { }
  h->next = h->prev = h;
}

struct item *make(void) { //~ CONTRACT emp => \result -> struct item { next: \result, prev: \result, v: 0 }
  struct item *h = malloc(sizeof *h);
  init(h);
  h->v = 0;
  return h;
}

void push_front(struct item *h, int v) { //~ CONTRACT
  struct item *n = malloc(sizeof *n);
  n->v = v;
  n->next = h->next;
  n->prev = h;
  h->next->prev = n;
  h->next = n;
}

void push_back(struct item *h, int v) { //~ CONTRACT
  struct item *n = malloc(sizeof *n);
  n->v = v;
  n->prev = h->prev;
  n->next = h;
  h->prev->next = n;
  h->prev = n;
}

void unlink(struct item *n) { //~ CONTRACT
  n->prev->next = n->next;
  n->next->prev = n->prev;
  free(n);
}

int sum(struct item *h) { //~ CONTRACT
  int s = 0;
  for (struct item *p = h->next; p != h; p = p->next)
    s ^= p->v;
  return s;
}

int sum_back(struct item *h) { //~ CONTRACT
  int s = 0;
  for (struct item *p = h->prev; p != h; p = p->prev)
    s ^= p->v;
  return s;
}

struct item *find(struct item *h, int v) { //~ CONTRACT
  for (struct item *p = h->next; p != h; p = p->next)
    if (p->v == v)
      return p;
  return 0;
}

void clear(struct item *h) { //~ CONTRACT
  struct item *p = h->next;
  while (p != h) {
    struct item *n = p->next;
    free(p);
    p = n;
  }
  h->next = h->prev = h;
}

void destroy(struct item *h) { //~ CONTRACT
  clear(h);
  free(h);
}

void splice(struct item *a, struct item *b) { //~ CONTRACT
  if (b->next != b) {
    b->next->prev = a->prev;
    a->prev->next = b->next;
    b->prev->next = a;
    a->prev = b->prev;
    b->next = b->prev = b;
  }
}
