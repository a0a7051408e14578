// Singly-linked lists with a link that is not aligned: deletion.
void *malloc(unsigned long);
void free(void *);
struct __attribute__((packed)) pack { char tag; struct pack *next; int v; };

//~ CONTRACT l == null | l -> struct pack { next: x1, .. } => l == 0 && \result == 0
//~ | \result == \old(x1)
struct pack *pop(struct pack *l) {
  if (!l)
    return 0;
  struct pack *n = l->next;
  free(l);
  return n;
}

void remove_after(struct pack *p) { //~ CONTRACT p -> struct pack { next: x1, .. } && x1 == null | p -> struct pack { next: x1, .. } * x1 -> struct pack { next: x2, .. }
  struct pack *x = p->next;
  if (x) {
    p->next = x->next;
    free(x);
  }
}

//~ CONTRACT pack_list(l) => \result == 0 && l != 0
//~ | pack_list(l) && \result == l && l != 0
//~ | l == 0 && \result == 0
struct pack *remove_last(struct pack *l) {
  if (!l)
    return 0;
  if (!l->next) {
    free(l);
    return 0;
  }
  struct pack *p = l;
  while (p->next->next)
    p = p->next;
  free(p->next);
  p->next = 0;
  return l;
}

//~ CONTRACT pack_list(l) => l == 0 && \result == 0
//~ | pack_list(\result) && l != 0
struct pack *remove_value(struct pack *l, int v) {
  struct pack *p = 0, *x = l;
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

//~ CONTRACT pack_list(l) => pack_list(\result)
struct pack *remove_each(struct pack *l, int v) {
  struct pack **at = &l;
  while (*at) {
    struct pack *x = *at;
    if (x->v == v) {
      *at = x->next;
      free(x);
    } else {
      at = &x->next;
    }
  }
  return l;
}

//~ CONTRACT pack_list(l) => l == 0 && \result == 0
//~ | pack_list(\result) && l != 0
struct pack *remove_recursive(struct pack *l, int v) {
  if (!l)
    return 0;
  if (l->v == v) {
    struct pack *n = l->next;
    free(l);
    return n;
  }
  l->next = remove_recursive(l->next, v);
  return l;
}
