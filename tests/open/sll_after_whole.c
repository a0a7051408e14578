// Singly-linked lists with data after the link: reversal, concatenation, destruction.
void *malloc(unsigned long);
void free(void *);
struct cell { struct cell *next; long v; };

//~ CONTRACT cell_list(l) => cell_list(\result)
struct cell *reverse(struct cell *l) {
  struct cell *r = 0;
  while (l) {
    struct cell *n = l->next;
    l->next = r;
    r = l;
    l = n;
  }
  return r;
}

//~ CONTRACT cell_list(l)
struct cell *reverse_onto(struct cell *l, struct cell *r) {
  while (l) {
    struct cell *n = l->next;
    l->next = r;
    r = l;
    l = n;
  }
  return r;
}

struct cell *concat(struct cell *a, struct cell *b) { //~ CONTRACT cell_list(a)
  if (!a)
    return b;
  struct cell *p = a;
  while (p->next)
    p = p->next;
  p->next = b;
  return a;
}

struct cell *concat_recursive(struct cell *a, struct cell *b) { //~ CONTRACT cell_list(a)
  if (!a)
    return b;
  a->next = concat_recursive(a->next, b);
  return a;
}

//~ CONTRACT cell_list(a); cell_list(b) => cell_list(\result)
struct cell *merge(struct cell *a, struct cell *b) {
  struct cell *r = 0, **end = &r;
  while (a && b) {
    struct cell **least = a->v < b->v ? &a : &b;
    *end = *least;
    end = &(*least)->next;
    *least = (*least)->next;
  }
  *end = a ? a : b;
  return r;
}

void destroy(struct cell *l) { //~ CONTRACT cell_list(l) => emp
  while (l) {
    struct cell *n = l->next;
    free(l);
    l = n;
  }
}

void destroy_recursive(struct cell *l) { //~ CONTRACT cell_list(l) => emp
  if (!l)
    return;
  destroy_recursive(l->next);
  free(l);
}

void destroy_at(struct cell **l) { //~ CONTRACT
  while (*l) {
    struct cell *x = *l;
    *l = x->next;
    free(x);
  }
}
