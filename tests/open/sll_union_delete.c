// Singly-linked lists with a union before the link: deletion.
void *malloc(unsigned long);
void free(void *);
struct either { union { long v; char text[8]; }; struct either *next; };

//~ CONTRACT l == null | l -> struct either { next: x1, .. } => l == 0 && \result == 0
//~ | \result == \old(x1)
struct either *pop(struct either *l) {
  if (!l)
    return 0;
  struct either *n = l->next;
  free(l);
  return n;
}

void remove_after(struct either *p) { //~ CONTRACT p -> struct either { next: x1, .. } && x1 == null | p -> struct either { next: x1, .. } * x1 -> struct either { next: x2, .. }
  struct either *x = p->next;
  if (x) {
    p->next = x->next;
    free(x);
  }
}

//~ CONTRACT either_list(l) => \result == 0 && l != 0
//~ | either_list(l) && \result == l && l != 0
//~ | l == 0 && \result == 0
struct either *remove_last(struct either *l) {
  if (!l)
    return 0;
  if (!l->next) {
    free(l);
    return 0;
  }
  struct either *p = l;
  while (p->next->next)
    p = p->next;
  free(p->next);
  p->next = 0;
  return l;
}

//~ CONTRACT either_list(l) => l == 0 && \result == 0
//~ | either_list(\result) && l != 0
struct either *remove_value(struct either *l, long v) {
  struct either *p = 0, *x = l;
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

//~ CONTRACT either_list(l) => either_list(\result)
struct either *remove_each(struct either *l, long v) {
  struct either **at = &l;
  while (*at) {
    struct either *x = *at;
    if (x->v == v) {
      *at = x->next;
      free(x);
    } else {
      at = &x->next;
    }
  }
  return l;
}

//~ CONTRACT either_list(l) => l == 0 && \result == 0
//~ | either_list(\result) && l != 0
struct either *remove_recursive(struct either *l, long v) {
  if (!l)
    return 0;
  if (l->v == v) {
    struct either *n = l->next;
    free(l);
    return n;
  }
  l->next = remove_recursive(l->next, v);
  return l;
}
