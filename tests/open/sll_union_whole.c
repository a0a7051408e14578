// Singly-linked lists with a union before the link: reversal, concatenation, destruction.
void *malloc(unsigned long);
void free(void *);
struct either { union { long v; char text[8]; }; struct either *next; };

//~ CONTRACT either_list(l) => either_list(\result)
struct either *reverse(struct either *l) {
  struct either *r = 0;
  while (l) {
    struct either *n = l->next;
    l->next = r;
    r = l;
    l = n;
  }
  return r;
}

//~ CONTRACT either_list(l)
struct either *reverse_onto(struct either *l, struct either *r) {
  while (l) {
    struct either *n = l->next;
    l->next = r;
    r = l;
    l = n;
  }
  return r;
}

struct either *concat(struct either *a, struct either *b) { //~ CONTRACT either_list(a)
  if (!a)
    return b;
  struct either *p = a;
  while (p->next)
    p = p->next;
  p->next = b;
  return a;
}

struct either *concat_recursive(struct either *a, struct either *b) { //~ CONTRACT either_list(a)
  if (!a)
    return b;
  a->next = concat_recursive(a->next, b);
  return a;
}

//~ CONTRACT either_list(a); either_list(b) => either_list(\result)
struct either *merge(struct either *a, struct either *b) {
  struct either *r = 0, **end = &r;
  while (a && b) {
    struct either **least = a->v < b->v ? &a : &b;
    *end = *least;
    end = &(*least)->next;
    *least = (*least)->next;
  }
  *end = a ? a : b;
  return r;
}

void destroy(struct either *l) { //~ CONTRACT either_list(l) => emp
  while (l) {
    struct either *n = l->next;
    free(l);
    l = n;
  }
}

void destroy_recursive(struct either *l) { //~ CONTRACT either_list(l) => emp
  if (!l)
    return;
  destroy_recursive(l->next);
  free(l);
}

void destroy_at(struct either **l) { //~ CONTRACT
  while (*l) {
    struct either *x = *l;
    *l = x->next;
    free(x);
  }
}
