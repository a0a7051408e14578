// Singly-linked lists with data after the link: deletion.
void *malloc(unsigned long);
void free(void *);
struct cell { struct cell *next; long v; };

//~ CONTRACT l == null | l -> struct cell { next: x1, .. } => l == 0 && \result == 0
//~ | \result == \old(x1)
struct cell *pop(struct cell *l) {
  if (!l)
    return 0;
  struct cell *n = l->next;
  free(l);
  return n;
}

void remove_after(struct cell *p) { //~ CONTRACT p -> struct cell { next: x1, .. } && x1 == null | p -> struct cell { next: x1, .. } * x1 -> struct cell { next: x2, .. }
  struct cell *x = p->next;
  if (x) {
    p->next = x->next;
    free(x);
  }
}

//~ CONTRACT cell_list(l) => \result == 0 && l != 0
//~ | cell_list(l) && \result == l && l != 0
//~ | l == 0 && \result == 0
struct cell *remove_last(struct cell *l) {
  if (!l)
    return 0;
  if (!l->next) {
    free(l);
    return 0;
  }
  struct cell *p = l;
  while (p->next->next)
    p = p->next;
  free(p->next);
  p->next = 0;
  return l;
}

//~ CONTRACT cell_list(l) => l == 0 && \result == 0
//~ | cell_list(\result) && l != 0
struct cell *remove_value(struct cell *l, long v) {
  struct cell *p = 0, *x = l;
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

//~ CONTRACT cell_list(l) => cell_list(\result)
struct cell *remove_each(struct cell *l, long v) {
  struct cell **at = &l;
  while (*at) {
    struct cell *x = *at;
    if (x->v == v) {
      *at = x->next;
      free(x);
    } else {
      at = &x->next;
    }
  }
  return l;
}

//~ CONTRACT cell_list(l) => l == 0 && \result == 0
//~ | cell_list(\result) && l != 0
struct cell *remove_recursive(struct cell *l, long v) {
  if (!l)
    return 0;
  if (l->v == v) {
    struct cell *n = l->next;
    free(l);
    return n;
  }
  l->next = remove_recursive(l->next, v);
  return l;
}
