// Singly-linked lists with data after the link: traversal and search.
void *malloc(unsigned long);
void free(void *);
struct cell { struct cell *next; long v; };

//~ CONTRACT cell_list(l) => cell_list(l) && \result >= 0
int length(const struct cell *l) {
  int n = 0;
  for (; l; l = l->next)
    n = (n + 1) & 0xfff;
  return n;
}

//~ CONTRACT cell_list(l) => cell_list(l)
long sum(struct cell *l) {
  long s = 0;
  while (l) {
    s = (long)(s ^ l->v);
    l = l->next;
  }
  return s;
}

//~ CONTRACT cell_list(l) => cell_list(l)
void clear_data(struct cell *l) {
  for (; l; l = l->next)
    l->v = 0;
}

//~ CONTRACT cell_list(l) => cell_list(l) && \result == 1 && l != 0
//~ | cell_list(l) && \result == 0
int contains(struct cell *l, long v) {
  while (l) {
    if (l->v == v)
      return 1;
    l = l->next;
  }
  return 0;
}

struct cell *find(struct cell *l, long v) { //~ CONTRACT cell_list(l)
  while (l && l->v != v)
    l = l->next;
  return l;
}

struct cell *last(struct cell *l) { //~ CONTRACT cell_list(l) && l != null
  while (l->next)
    l = l->next;
  return l;
}

struct cell *nth(struct cell *l, int n) { //~ CONTRACT cell_list(l)
  while (l && n-- > 0)
    l = l->next;
  return l;
}

struct cell *largest(struct cell *l) { //~ CONTRACT cell_list(l) && l != null
  struct cell *m = l;
  for (l = l->next; l; l = l->next)
    if (l->v > m->v)
      m = l;
  return m;
}

//~ CONTRACT cell_list(a); cell_list(b) => cell_list(a; x1) * cell_list(b; x2) * cell_list(x1) * cell_list(x2) && \result == 0
//~ | cell_list(a) * cell_list(b) && \result == 1
int equal(struct cell *a, struct cell *b) {
  while (a && b && a->v == b->v) {
    a = a->next;
    b = b->next;
  }
  return !a && !b;
}
