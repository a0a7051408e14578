// Singly-linked lists with one byte before the link: reversal, concatenation, destruction.
void *malloc(unsigned long);
void free(void *);
struct count { unsigned char v; struct count *next; };

//~ CONTRACT count_list(l) => count_list(\result)
struct count *reverse(struct count *l) {
  struct count *r = 0;
  while (l) {
    struct count *n = l->next;
    l->next = r;
    r = l;
    l = n;
  }
  return r;
}

//~ CONTRACT count_list(l)
struct count *reverse_onto(struct count *l, struct count *r) {
  while (l) {
    struct count *n = l->next;
    l->next = r;
    r = l;
    l = n;
  }
  return r;
}

struct count *concat(struct count *a, struct count *b) { //~ CONTRACT count_list(a)
  if (!a)
    return b;
  struct count *p = a;
  while (p->next)
    p = p->next;
  p->next = b;
  return a;
}

struct count *concat_recursive(struct count *a, struct count *b) { //~ CONTRACT count_list(a)
  if (!a)
    return b;
  a->next = concat_recursive(a->next, b);
  return a;
}

//~ CONTRACT count_list(a); count_list(b) => count_list(\result)
struct count *merge(struct count *a, struct count *b) {
  struct count *r = 0, **end = &r;
  while (a && b) {
    struct count **least = a->v < b->v ? &a : &b;
    *end = *least;
    end = &(*least)->next;
    *least = (*least)->next;
  }
  *end = a ? a : b;
  return r;
}

void destroy(struct count *l) { //~ CONTRACT count_list(l) => emp
  while (l) {
    struct count *n = l->next;
    free(l);
    l = n;
  }
}

void destroy_recursive(struct count *l) { //~ CONTRACT count_list(l) => emp
  if (!l)
    return;
  destroy_recursive(l->next);
  free(l);
}

void destroy_at(struct count **l) { //~ CONTRACT
  while (*l) {
    struct count *x = *l;
    *l = x->next;
    free(x);
  }
}
