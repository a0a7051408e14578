// Singly-linked lists with data before the link: deletion.
void *malloc(unsigned long);
void free(void *);
struct node { int v; struct node *next; };

//~ CONTRACT l == null | l -> struct node { next: x1, .. } => l == 0 && \result == 0
//~ | \result == \old(x1)
struct node *pop(struct node *l) {
  if (!l)
    return 0;
  struct node *n = l->next;
  free(l);
  return n;
}

void remove_after(struct node *p) { //~ CONTRACT p -> struct node { next: x1, .. } && x1 == null | p -> struct node { next: x1, .. } * x1 -> struct node { next: x2, .. }
  struct node *x = p->next;
  if (x) {
    p->next = x->next;
    free(x);
  }
}

//~ CONTRACT node_list(l) => \result == 0 && l != 0
//~ | node_list(l) && \result == l && l != 0
//~ | l == 0 && \result == 0
struct node *remove_last(struct node *l) {
  if (!l)
    return 0;
  if (!l->next) {
    free(l);
    return 0;
  }
  struct node *p = l;
  while (p->next->next)
    p = p->next;
  free(p->next);
  p->next = 0;
  return l;
}

//~ CONTRACT node_list(l) => l == 0 && \result == 0
//~ | node_list(\result) && l != 0
struct node *remove_value(struct node *l, int v) {
  struct node *p = 0, *x = l;
  while (x && x->v != v) {
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

//~ CONTRACT node_list(l) => node_list(\result)
struct node *remove_each(struct node *l, int v) {
  struct node **at = &l;
  while (*at) {
    struct node *x = *at;
    if (x->v == v) {
      *at = x->next;
      free(x);
    } else {
      at = &x->next;
    }
  }
  return l;
}

//~ CONTRACT node_list(l) => l == 0 && \result == 0
//~ | node_list(\result) && l != 0
struct node *remove_recursive(struct node *l, int v) {
  if (!l)
    return 0;
  if (l->v == v) {
    struct node *n = l->next;
    free(l);
    return n;
  }
  l->next = remove_recursive(l->next, v);
  return l;
}
