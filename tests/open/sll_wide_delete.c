// Singly-linked lists with records and arrays around the link: deletion.
void *malloc(unsigned long);
void free(void *);
struct page { int lines[2]; struct page *next; struct { int v, w; } at; };

//~ CONTRACT l == null | l -> struct page { next: x1, .. } => l == 0 && \result == 0
//~ | \result == \old(x1)
struct page *pop(struct page *l) {
  if (!l)
    return 0;
  struct page *n = l->next;
  free(l);
  return n;
}

void remove_after(struct page *p) { //~ CONTRACT p -> struct page { next: x1, .. } && x1 == null | p -> struct page { next: x1, .. } * x1 -> struct page { next: x2, .. }
  struct page *x = p->next;
  if (x) {
    p->next = x->next;
    free(x);
  }
}

//~ CONTRACT page_list(l) => \result == 0 && l != 0
//~ | page_list(l) && \result == l && l != 0
//~ | l == 0 && \result == 0
struct page *remove_last(struct page *l) {
  if (!l)
    return 0;
  if (!l->next) {
    free(l);
    return 0;
  }
  struct page *p = l;
  while (p->next->next)
    p = p->next;
  free(p->next);
  p->next = 0;
  return l;
}

//~ CONTRACT page_list(l) => l == 0 && \result == 0
//~ | page_list(\result) && l != 0
struct page *remove_value(struct page *l, int v) {
  struct page *p = 0, *x = l;
  while (x && x->at.v != v) {
    p = x;
    x = x->next;
  }
  if (!x)
    return l;
  if (p)
    p->next = x->next;
  else
    l = x->next;
  free(x);
  return l;
}

//~ CONTRACT page_list(l) => page_list(\result)
struct page *remove_each(struct page *l, int v) {
  struct page **at = &l;
  while (*at) {
    struct page *x = *at;
    if (x->at.v == v) {
      *at = x->next;
      free(x);
    } else {
      at = &x->next;
    }
  }
  return l;
}

//~ CONTRACT page_list(l) => l == 0 && \result == 0
//~ | page_list(\result) && l != 0
struct page *remove_recursive(struct page *l, int v) {
  if (!l)
    return 0;
  if (l->at.v == v) {
    struct page *n = l->next;
    free(l);
    return n;
  }
  l->next = remove_recursive(l->next, v);
  return l;
}
