// Singly-linked lists with one byte before the link: deletion.
void *malloc(unsigned long);
void free(void *);
struct count { unsigned char v; struct count *next; };

//~ CONTRACT l == null | l -> struct count { next: x1, .. } => l == 0 && \result == 0
//~ | \result == \old(x1)
struct count *pop(struct count *l) {
  if (!l)
    return 0;
  struct count *n = l->next;
  free(l);
  return n;
}

void remove_after(struct count *p) { //~ CONTRACT p -> struct count { next: x1, .. } && x1 == null | p -> struct count { next: x1, .. } * x1 -> struct count { next: x2, .. }
  struct count *x = p->next;
  if (x) {
    p->next = x->next;
    free(x);
  }
}

//~ CONTRACT count_list(l) => \result == 0 && l != 0
//~ | count_list(l) && \result == l && l != 0
//~ | l == 0 && \result == 0
struct count *remove_last(struct count *l) {
  if (!l)
    return 0;
  if (!l->next) {
    free(l);
    return 0;
  }
  struct count *p = l;
  while (p->next->next)
    p = p->next;
  free(p->next);
  p->next = 0;
  return l;
}

//~ CONTRACT count_list(l) => l == 0 && \result == 0
//~ | count_list(\result) && l != 0
struct count *remove_value(struct count *l, unsigned char v) {
  struct count *p = 0, *x = l;
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

//~ CONTRACT count_list(l) => count_list(\result)
struct count *remove_each(struct count *l, unsigned char v) {
  struct count **at = &l;
  while (*at) {
    struct count *x = *at;
    if (x->v == v) {
      *at = x->next;
      free(x);
    } else {
      at = &x->next;
    }
  }
  return l;
}

//~ CONTRACT count_list(l) => l == 0 && \result == 0
//~ | count_list(\result) && l != 0
struct count *remove_recursive(struct count *l, unsigned char v) {
  if (!l)
    return 0;
  if (l->v == v) {
    struct count *n = l->next;
    free(l);
    return n;
  }
  l->next = remove_recursive(l->next, v);
  return l;
}
