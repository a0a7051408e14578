// Singly-linked lists with data before and after the link: deletion.
void *malloc(unsigned long);
void free(void *);
struct link { char tag; struct link *next; short v; };

//~ CONTRACT l == null | l -> struct link { next: x1, .. } => l == 0 && \result == 0
//~ | \result == \old(x1)
struct link *pop(struct link *l) {
  if (!l)
    return 0;
  struct link *n = l->next;
  free(l);
  return n;
}

void remove_after(struct link *p) { //~ CONTRACT p -> struct link { next: x1, .. } && x1 == null | p -> struct link { next: x1, .. } * x1 -> struct link { next: x2, .. }
  struct link *x = p->next;
  if (x) {
    p->next = x->next;
    free(x);
  }
}

//~ CONTRACT link_list(l) => \result == 0 && l != 0
//~ | link_list(l) && \result == l && l != 0
//~ | l == 0 && \result == 0
struct link *remove_last(struct link *l) {
  if (!l)
    return 0;
  if (!l->next) {
    free(l);
    return 0;
  }
  struct link *p = l;
  while (p->next->next)
    p = p->next;
  free(p->next);
  p->next = 0;
  return l;
}

//~ CONTRACT link_list(l) => l == 0 && \result == 0
//~ | link_list(\result) && l != 0
struct link *remove_value(struct link *l, short v) {
  struct link *p = 0, *x = l;
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

//~ CONTRACT link_list(l) => link_list(\result)
struct link *remove_each(struct link *l, short v) {
  struct link **at = &l;
  while (*at) {
    struct link *x = *at;
    if (x->v == v) {
      *at = x->next;
      free(x);
    } else {
      at = &x->next;
    }
  }
  return l;
}

//~ CONTRACT link_list(l) => l == 0 && \result == 0
//~ | link_list(\result) && l != 0
struct link *remove_recursive(struct link *l, short v) {
  if (!l)
    return 0;
  if (l->v == v) {
    struct link *n = l->next;
    free(l);
    return n;
  }
  l->next = remove_recursive(l->next, v);
  return l;
}
