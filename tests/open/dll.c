// Doubly-linked lists.
void *malloc(unsigned long);
void free(void *);
struct dnode { struct dnode *next, *prev; int v; };

struct dnode *create(int v) { //~ CONTRACT emp
  struct dnode *n = malloc(sizeof *n);
  n->next = n->prev = 0;
  n->v = v;
  return n;
}

struct dnode *push_front(struct dnode *l, int v) { //~ CONTRACT
  struct dnode *n = malloc(sizeof *n);
  n->v = v;
  n->prev = 0;
  n->next = l;
  if (l)
    l->prev = n;
  return n;
}

int sum(struct dnode *l) { //~ CONTRACT dnode_list(l)
  int s = 0;
  for (; l; l = l->next)
    s ^= l->v;
  return s;
}

void insert_after(struct dnode *p, int v) { //~ CONTRACT
  struct dnode *n = malloc(sizeof *n);
  n->v = v;
  n->prev = p;
  n->next = p->next;
  if (p->next)
    p->next->prev = n;
  p->next = n;
}

void unlink_node(struct dnode *n) { //~ CONTRACT
  if (n->prev)
    n->prev->next = n->next;
  if (n->next)
    n->next->prev = n->prev;
  n->next = n->prev = 0;
}

struct dnode *remove(struct dnode *l, int v) { //~ CONTRACT
  for (struct dnode *x = l; x; x = x->next)
    if (x->v == v) {
      if (x->prev)
        x->prev->next = x->next;
      else
        l = x->next;
      if (x->next)
        x->next->prev = x->prev;
      free(x);
      return l;
    }
  return l;
}

void destroy(struct dnode *l) { //~ CONTRACT dnode_list(l) => emp
  while (l) {
    struct dnode *n = l->next;
    free(l);
    l = n;
  }
}

struct dnode *reverse(struct dnode *l) { //~ CONTRACT
  struct dnode *r = 0;
  while (l) {
    struct dnode *n = l->next;
    l->next = r;
    l->prev = 0;
    if (r)
      r->prev = l;
    r = l;
    l = n;
  }
  return r;
}

struct dnode *push_back(struct dnode *l, int v) { //~ CONTRACT
  struct dnode *n = create(v);
  if (!l)
    return n;
  struct dnode *p = l;
  while (p->next)
    p = p->next;
  p->next = n;
  n->prev = p;
  return l;
}

struct dnode *create_many(int n) { //~ CONTRACT emp
  struct dnode *l = 0;
  while (n-- > 0)
    l = push_front(l, n);
  return l;
}
