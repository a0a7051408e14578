// Singly-linked lists with a union before the link: traversal and search.
void *malloc(unsigned long);
void free(void *);
struct either { union { long v; char text[8]; }; struct either *next; };

//~ CONTRACT either_list(l) => either_list(l) && \result >= 0
int length(const struct either *l) {
  int n = 0;
  for (; l; l = l->next)
    n = (n + 1) & 0xfff;
  return n;
}

//~ CONTRACT either_list(l) => either_list(l)
long sum(struct either *l) {
  long s = 0;
  while (l) {
    s = (long)(s ^ l->v);
    l = l->next;
  }
  return s;
}

//~ CONTRACT either_list(l) => either_list(l)
void clear_data(struct either *l) {
  for (; l; l = l->next)
    l->v = 0;
}

//~ CONTRACT either_list(l) => either_list(l) && \result == 1 && l != 0
//~ | either_list(l) && \result == 0
int contains(struct either *l, long v) {
  while (l) {
    if (l->v == v)
      return 1;
    l = l->next;
  }
  return 0;
}

struct either *find(struct either *l, long v) { //~ CONTRACT either_list(l)
  while (l && l->v != v)
    l = l->next;
  return l;
}

struct either *last(struct either *l) { //~ CONTRACT either_list(l) && l != null
  while (l->next)
    l = l->next;
  return l;
}

struct either *nth(struct either *l, int n) { //~ CONTRACT either_list(l)
  while (l && n-- > 0)
    l = l->next;
  return l;
}

struct either *largest(struct either *l) { //~ CONTRACT either_list(l) && l != null
  struct either *m = l;
  for (l = l->next; l; l = l->next)
    if (l->v > m->v)
      m = l;
  return m;
}

//~ CONTRACT either_list(a); either_list(b) => either_list(a; x1) * either_list(b; x2) * either_list(x1) * either_list(x2) && \result == 0
//~ | either_list(a) * either_list(b) && \result == 1
int equal(struct either *a, struct either *b) {
  while (a && b && a->v == b->v) {
    a = a->next;
    b = b->next;
  }
  return !a && !b;
}
