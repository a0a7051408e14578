// Singly-linked lists with data before and after the link: reversal, concatenation, destruction.
void *malloc(unsigned long);
void free(void *);
struct link { char tag; struct link *next; short v; };

//~ CONTRACT link_list(l) => link_list(\result)
struct link *reverse(struct link *l) {
  struct link *r = 0;
  while (l) {
    struct link *n = l->next;
    l->next = r;
    r = l;
    l = n;
  }
  return r;
}

//~ CONTRACT link_list(l)
struct link *reverse_onto(struct link *l, struct link *r) {
  while (l) {
    struct link *n = l->next;
    l->next = r;
    r = l;
    l = n;
  }
  return r;
}

struct link *concat(struct link *a, struct link *b) { //~ CONTRACT link_list(a)
  if (!a)
    return b;
  struct link *p = a;
  while (p->next)
    p = p->next;
  p->next = b;
  return a;
}

struct link *concat_recursive(struct link *a, struct link *b) { //~ CONTRACT link_list(a)
  if (!a)
    return b;
  a->next = concat_recursive(a->next, b);
  return a;
}

//~ CONTRACT link_list(a); link_list(b) => link_list(\result)
struct link *merge(struct link *a, struct link *b) {
  struct link *r = 0, **end = &r;
  while (a && b) {
    struct link **least = a->v < b->v ? &a : &b;
    *end = *least;
    end = &(*least)->next;
    *least = (*least)->next;
  }
  *end = a ? a : b;
  return r;
}

void destroy(struct link *l) { //~ CONTRACT link_list(l) => emp
  while (l) {
    struct link *n = l->next;
    free(l);
    l = n;
  }
}

void destroy_recursive(struct link *l) { //~ CONTRACT link_list(l) => emp
  if (!l)
    return;
  destroy_recursive(l->next);
  free(l);
}

void destroy_at(struct link **l) { //~ CONTRACT
  while (*l) {
    struct link *x = *l;
    *l = x->next;
    free(x);
  }
}
