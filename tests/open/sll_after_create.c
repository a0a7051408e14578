// Singly-linked lists with data after the link: creation.
void *malloc(unsigned long);
void free(void *);
struct cell { struct cell *next; long v; };

struct cell *one(long v) { //~ CONTRACT emp => \result -> struct cell { v: v, next: 0 }
  struct cell *n = malloc(sizeof *n);
  n->v = v;
  n->next = 0;
  return n;
}

struct cell *two(long v, long w) { //~ CONTRACT emp => \result -> struct cell { v: v, next: x } * x -> struct cell { v: w, next: 0 }
  struct cell *n = one(v);
  n->next = one(w);
  return n;
}

//~ CONTRACT emp => \result == 0 && n <= 0
//~ | \result -> struct cell { next: x1, v: _ } * cell_list(x1) && n >= 1
struct cell *many(int n) {
  struct cell *l = 0;
  while (n-- > 0) {
    struct cell *c = one((long)n);
    c->next = l;
    l = c;
  }
  return l;
}

//~ CONTRACT emp => \result == 0 && n <= 0
//~ | cell_list(\result) && \result != 0 && n >= 1
struct cell *in_order(int n) {
  struct cell *first = 0, *last = 0;
  for (int i = 0; i < n; i++) {
    struct cell *c = one((long)i);
    if (last)
      last->next = c;
    else
      first = c;
    last = c;
  }
  return first;
}

//~ CONTRACT cell_list(l) => cell_list(l) * cell_list(\result)
struct cell *copy(struct cell *l) {
  struct cell *r = 0, **end = &r;
  for (; l; l = l->next) {
    struct cell *c = malloc(sizeof *c);
    c->v = l->v;
    c->next = 0;
    *end = c;
    end = &c->next;
  }
  return r;
}
