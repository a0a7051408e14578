// Singly-linked lists with records and arrays around the link: traversal and search.
void *malloc(unsigned long);
void free(void *);
struct page { int lines[2]; struct page *next; struct { int v, w; } at; };

//~ CONTRACT page_list(l) => page_list(l) && \result >= 0
int length(const struct page *l) {
  int n = 0;
  for (; l; l = l->next)
    n = (n + 1) & 0xfff;
  return n;
}

//~ CONTRACT page_list(l) => page_list(l)
int sum(struct page *l) {
  int s = 0;
  while (l) {
    s = (int)(s ^ l->at.v);
    l = l->next;
  }
  return s;
}

//~ CONTRACT page_list(l) => page_list(l)
void clear_data(struct page *l) {
  for (; l; l = l->next)
    l->at.v = 0;
}

//~ CONTRACT page_list(l) => page_list(l) && \result == 1 && l != 0
//~ | page_list(l) && \result == 0
int contains(struct page *l, int v) {
  while (l) {
    if (l->at.v == v)
      return 1;
    l = l->next;
  }
  return 0;
}

struct page *find(struct page *l, int v) { //~ CONTRACT page_list(l)
  while (l && l->at.v != v)
    l = l->next;
  return l;
}

struct page *last(struct page *l) { //~ CONTRACT page_list(l) && l != null
  while (l->next)
    l = l->next;
  return l;
}

struct page *nth(struct page *l, int n) { //~ CONTRACT page_list(l)
  while (l && n-- > 0)
    l = l->next;
  return l;
}

struct page *largest(struct page *l) { //~ CONTRACT page_list(l) && l != null
  struct page *m = l;
  for (l = l->next; l; l = l->next)
    if (l->at.v > m->at.v)
      m = l;
  return m;
}

//~ CONTRACT page_list(a); page_list(b) => page_list(a; x1) * page_list(b; x2) * page_list(x1) * page_list(x2) && \result == 0
//~ | page_list(a) * page_list(b) && \result == 1
int equal(struct page *a, struct page *b) {
  while (a && b && a->at.v == b->at.v) {
    a = a->next;
    b = b->next;
  }
  return !a && !b;
}
