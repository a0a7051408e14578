// Singly-linked lists with a link that is not aligned: reversal, concatenation, destruction.
void *malloc(unsigned long);
void free(void *);
struct __attribute__((packed)) pack { char tag; struct pack *next; int v; };

//~ CONTRACT pack_list(l) => pack_list(\result)
struct pack *reverse(struct pack *l) {
  struct pack *r = 0;
  while (l) {
    struct pack *n = l->next;
    l->next = r;
    r = l;
    l = n;
  }
  return r;
}

//~ CONTRACT pack_list(l)
struct pack *reverse_onto(struct pack *l, struct pack *r) {
  while (l) {
    struct pack *n = l->next;
    l->next = r;
    r = l;
    l = n;
  }
  return r;
}

struct pack *concat(struct pack *a, struct pack *b) { //~ CONTRACT pack_list(a)
  if (!a)
    return b;
  struct pack *p = a;
  while (p->next)
    p = p->next;
  p->next = b;
  return a;
}

struct pack *concat_recursive(struct pack *a, struct pack *b) { //~ CONTRACT pack_list(a)
  if (!a)
    return b;
  a->next = concat_recursive(a->next, b);
  return a;
}

//~ CONTRACT pack_list(a); pack_list(b) => pack_list(\result)
struct pack *merge(struct pack *a, struct pack *b) {
  struct pack *r = 0, **end = &r;
  while (a && b) {
    struct pack **least = a->v < b->v ? &a : &b;
    *end = *least;
    end = &(*least)->next;
    *least = (*least)->next;
  }
  *end = a ? a : b;
  return r;
}

void destroy(struct pack *l) { //~ CONTRACT pack_list(l) => emp
  while (l) {
    struct pack *n = l->next;
    free(l);
    l = n;
  }
}

void destroy_recursive(struct pack *l) { //~ CONTRACT pack_list(l) => emp
  if (!l)
    return;
  destroy_recursive(l->next);
  free(l);
}

void destroy_at(struct pack **l) { //~ CONTRACT
  while (*l) {
    struct pack *x = *l;
    *l = x->next;
    free(x);
  }
}
