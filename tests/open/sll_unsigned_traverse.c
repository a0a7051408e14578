// Singly-linked lists with one byte before the link: traversal and search.
void *malloc(unsigned long);
void free(void *);
struct count { unsigned char v; struct count *next; };

//~ CONTRACT count_list(l) => count_list(l) && \result >= 0
int length(const struct count *l) {
  int n = 0;
  for (; l; l = l->next)
    n = (n + 1) & 0xfff;
  return n;
}

//~ CONTRACT count_list(l) => count_list(l) && \result >= 0
unsigned char sum(struct count *l) {
  unsigned char s = 0;
  while (l) {
    s = (unsigned char)(s ^ l->v);
    l = l->next;
  }
  return s;
}

//~ CONTRACT count_list(l) => count_list(l)
void clear_data(struct count *l) {
  for (; l; l = l->next)
    l->v = 0;
}

//~ CONTRACT count_list(l) => count_list(l) && \result == 1 && l != 0
//~ | count_list(l) && \result == 0
int contains(struct count *l, unsigned char v) {
  while (l) {
    if (l->v == v)
      return 1;
    l = l->next;
  }
  return 0;
}

struct count *find(struct count *l, unsigned char v) { //~ CONTRACT count_list(l)
  while (l && l->v != v)
    l = l->next;
  return l;
}

struct count *last(struct count *l) { //~ CONTRACT count_list(l) && l != null
  while (l->next)
    l = l->next;
  return l;
}

struct count *nth(struct count *l, int n) { //~ CONTRACT count_list(l)
  while (l && n-- > 0)
    l = l->next;
  return l;
}

struct count *largest(struct count *l) { //~ CONTRACT count_list(l) && l != null
  struct count *m = l;
  for (l = l->next; l; l = l->next)
    if (l->v > m->v)
      m = l;
  return m;
}

//~ CONTRACT count_list(a); count_list(b) => count_list(a; x1) * count_list(b; x2) * count_list(x1) * count_list(x2) && \result == 0
//~ | count_list(a) * count_list(b) && \result == 1
int equal(struct count *a, struct count *b) {
  while (a && b && a->v == b->v) {
    a = a->next;
    b = b->next;
  }
  return !a && !b;
}
