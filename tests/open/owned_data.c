// Lists whose elements own a block.
void *malloc(unsigned long);
void free(void *);
struct payload { long a, b; };
struct own { struct own *next; struct payload *data; };

struct own *push(struct own *l, long a) { //~ CONTRACT emp => \result -> struct own { next: l, data: p } * p -> struct payload { a: a, b: 0 }
  struct own *n = malloc(sizeof *n);
  n->data = malloc(sizeof *n->data);
  n->data->a = a;
  n->data->b = 0;
  n->next = l;
  return n;
}

void destroy(struct own *l) { //~ CONTRACT own_list_data(l) => emp
  while (l) {
    struct own *n = l->next;
    free(l->data);
    free(l);
    l = n;
  }
}

long sum(struct own *l) { //~ CONTRACT own_list_data(l) => own_list_data(l)
  long s = 0;
  for (; l; l = l->next)
    if (l->data)
      s ^= l->data->a;
  return s;
}

struct payload *take(struct own *l) { //~ CONTRACT l -> struct own { data: x2, next: x1 } => l -> struct own { next: \old(x1), data: 0 } && \result == \old(x2)
  struct payload *p = l->data;
  l->data = 0;
  return p;
}

struct own *pop(struct own *l) { //~ CONTRACT
  if (!l)
    return 0;
  struct own *n = l->next;
  free(l->data);
  free(l);
  return n;
}

struct own *reverse(struct own *l) { //~ CONTRACT own_list(l) => own_list(\result)
  struct own *r = 0;
  while (l) {
    struct own *n = l->next;
    l->next = r;
    r = l;
    l = n;
  }
  return r;
}
