// Singly-linked lists with records and arrays around the link: reversal, concatenation, destruction.
void *malloc(unsigned long);
void free(void *);
struct page { int lines[2]; struct page *next; struct { int v, w; } at; };

//~ CONTRACT page_list(l) => page_list(\result)
struct page *reverse(struct page *l) {
  struct page *r = 0;
  while (l) {
    struct page *n = l->next;
    l->next = r;
    r = l;
    l = n;
  }
  return r;
}

//~ CONTRACT page_list(l)
struct page *reverse_onto(struct page *l, struct page *r) {
  while (l) {
    struct page *n = l->next;
    l->next = r;
    r = l;
    l = n;
  }
  return r;
}

struct page *concat(struct page *a, struct page *b) { //~ CONTRACT page_list(a)
  if (!a)
    return b;
  struct page *p = a;
  while (p->next)
    p = p->next;
  p->next = b;
  return a;
}

struct page *concat_recursive(struct page *a, struct page *b) { //~ CONTRACT page_list(a)
  if (!a)
    return b;
  a->next = concat_recursive(a->next, b);
  return a;
}

//~ CONTRACT page_list(a); page_list(b) => page_list(\result)
struct page *merge(struct page *a, struct page *b) {
  struct page *r = 0, **end = &r;
  while (a && b) {
    struct page **least = a->at.v < b->at.v ? &a : &b;
    *end = *least;
    end = &(*least)->next;
    *least = (*least)->next;
  }
  *end = a ? a : b;
  return r;
}

void destroy(struct page *l) { //~ CONTRACT page_list(l) => emp
  while (l) {
    struct page *n = l->next;
    free(l);
    l = n;
  }
}

void destroy_recursive(struct page *l) { //~ CONTRACT page_list(l) => emp
  if (!l)
    return;
  destroy_recursive(l->next);
  free(l);
}

void destroy_at(struct page **l) { //~ CONTRACT
  while (*l) {
    struct page *x = *l;
    *l = x->next;
    free(x);
  }
}
