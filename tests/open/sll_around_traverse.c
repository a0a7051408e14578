// Singly-linked lists with data before and after the link: traversal and search.
void *malloc(unsigned long);
void free(void *);
struct link { char tag; struct link *next; short v; };

//~ CONTRACT link_list(l) => link_list(l) && \result >= 0
int length(const struct link *l) {
  int n = 0;
  for (; l; l = l->next)
    n = (n + 1) & 0xfff;
  return n;
}

//~ CONTRACT link_list(l) => link_list(l)
short sum(struct link *l) {
  short s = 0;
  while (l) {
    s = (short)(s ^ l->v);
    l = l->next;
  }
  return s;
}

//~ CONTRACT link_list(l) => link_list(l)
void clear_data(struct link *l) {
  for (; l; l = l->next)
    l->v = 0;
}

//~ CONTRACT link_list(l) => link_list(l) && \result == 1 && l != 0
//~ | link_list(l) && \result == 0
int contains(struct link *l, short v) {
  while (l) {
    if (l->v == v)
      return 1;
    l = l->next;
  }
  return 0;
}

struct link *find(struct link *l, short v) { //~ CONTRACT link_list(l)
  while (l && l->v != v)
    l = l->next;
  return l;
}

struct link *last(struct link *l) { //~ CONTRACT link_list(l) && l != null
  while (l->next)
    l = l->next;
  return l;
}

struct link *nth(struct link *l, int n) { //~ CONTRACT link_list(l)
  while (l && n-- > 0)
    l = l->next;
  return l;
}

struct link *largest(struct link *l) { //~ CONTRACT link_list(l) && l != null
  struct link *m = l;
  for (l = l->next; l; l = l->next)
    if (l->v > m->v)
      m = l;
  return m;
}

//~ CONTRACT link_list(a); link_list(b) => link_list(a; x1) * link_list(b; x2) * link_list(x1) * link_list(x2) && \result == 0
//~ | link_list(a) * link_list(b) && \result == 1
int equal(struct link *a, struct link *b) {
  while (a && b && a->v == b->v) {
    a = a->next;
    b = b->next;
  }
  return !a && !b;
}
