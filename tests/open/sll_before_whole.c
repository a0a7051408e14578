// Singly-linked lists with data before the link: reversal, concatenation, destruction.
void *malloc(unsigned long);
void free(void *);
struct node { int v; struct node *next; };

//~ CONTRACT node_list(l) => node_list(\result)
struct node *reverse(struct node *l) {
  struct node *r = 0;
  while (l) {
    struct node *n = l->next;
    l->next = r;
    r = l;
    l = n;
  }
  return r;
}

//~ CONTRACT node_list(l)
struct node *reverse_onto(struct node *l, struct node *r) {
  while (l) {
    struct node *n = l->next;
    l->next = r;
    r = l;
    l = n;
  }
  return r;
}

struct node *concat(struct node *a, struct node *b) { //~ CONTRACT node_list(a)
  if (!a)
    return b;
  struct node *p = a;
  while (p->next)
    p = p->next;
  p->next = b;
  return a;
}

struct node *concat_recursive(struct node *a, struct node *b) { //~ CONTRACT node_list(a)
  if (!a)
    return b;
  a->next = concat_recursive(a->next, b);
  return a;
}

//~ CONTRACT node_list(a); node_list(b) => node_list(\result)
struct node *merge(struct node *a, struct node *b) {
  struct node *r = 0, **end = &r;
  while (a && b) {
    struct node **least = a->v < b->v ? &a : &b;
    *end = *least;
    end = &(*least)->next;
    *least = (*least)->next;
  }
  *end = a ? a : b;
  return r;
}

void destroy(struct node *l) { //~ CONTRACT node_list(l) => emp
  while (l) {
    struct node *n = l->next;
    free(l);
    l = n;
  }
}

void destroy_recursive(struct node *l) { //~ CONTRACT node_list(l) => emp
  if (!l)
    return;
  destroy_recursive(l->next);
  free(l);
}

void destroy_at(struct node **l) { //~ CONTRACT
  while (*l) {
    struct node *x = *l;
    *l = x->next;
    free(x);
  }
}
