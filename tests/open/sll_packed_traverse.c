// Singly-linked lists with a link that is not aligned: traversal and search.
void *malloc(unsigned long);
void free(void *);
struct __attribute__((packed)) pack { char tag; struct pack *next; int v; };

//~ CONTRACT pack_list(l) => pack_list(l) && \result >= 0
int length(const struct pack *l) {
  int n = 0;
  for (; l; l = l->next)
    n = (n + 1) & 0xfff;
  return n;
}

//~ CONTRACT pack_list(l) => pack_list(l)
int sum(struct pack *l) {
  int s = 0;
  while (l) {
    s = (int)(s ^ l->v);
    l = l->next;
  }
  return s;
}

//~ CONTRACT pack_list(l) => pack_list(l)
void clear_data(struct pack *l) {
  for (; l; l = l->next)
    l->v = 0;
}

//~ CONTRACT pack_list(l) => pack_list(l) && \result == 1 && l != 0
//~ | pack_list(l) && \result == 0
int contains(struct pack *l, int v) {
  while (l) {
    if (l->v == v)
      return 1;
    l = l->next;
  }
  return 0;
}

struct pack *find(struct pack *l, int v) { //~ CONTRACT pack_list(l)
  while (l && l->v != v)
    l = l->next;
  return l;
}

struct pack *last(struct pack *l) { //~ CONTRACT pack_list(l) && l != null
  while (l->next)
    l = l->next;
  return l;
}

struct pack *nth(struct pack *l, int n) { //~ CONTRACT pack_list(l)
  while (l && n-- > 0)
    l = l->next;
  return l;
}

struct pack *largest(struct pack *l) { //~ CONTRACT pack_list(l) && l != null
  struct pack *m = l;
  for (l = l->next; l; l = l->next)
    if (l->v > m->v)
      m = l;
  return m;
}

//~ CONTRACT pack_list(a); pack_list(b) => pack_list(a; x1) * pack_list(b; x2) * pack_list(x1) * pack_list(x2) && \result == 0
//~ | pack_list(a) * pack_list(b) && \result == 1
int equal(struct pack *a, struct pack *b) {
  while (a && b && a->v == b->v) {
    a = a->next;
    b = b->next;
  }
  return !a && !b;
}
