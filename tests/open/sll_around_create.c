// Singly-linked lists with data before and after the link: creation.
void *malloc(unsigned long);
void free(void *);
struct link { char tag; struct link *next; short v; };

struct link *one(short v) { //~ CONTRACT emp => \result -> struct link { v: v, next: 0, tag: 0 }
  struct link *n = malloc(sizeof *n);
  n->v = v;
  n->tag = 0;
  n->next = 0;
  return n;
}

struct link *two(short v, short w) { //~ CONTRACT emp => \result -> struct link { v: v, next: x, tag: 0 } * x -> struct link { v: w, next: 0, tag: 0 }
  struct link *n = one(v);
  n->next = one(w);
  return n;
}

//~ CONTRACT emp => \result == 0 && n <= 0
//~ | \result -> struct link { tag: 0, next: x1, v: _ } * link_list(x1) && n >= 1
struct link *many(int n) {
  struct link *l = 0;
  while (n-- > 0) {
    struct link *c = one((short)n);
    c->next = l;
    l = c;
  }
  return l;
}

//~ CONTRACT emp => \result == 0 && n <= 0
//~ | link_list(\result) && \result != 0 && n >= 1
struct link *in_order(int n) {
  struct link *first = 0, *last = 0;
  for (int i = 0; i < n; i++) {
    struct link *c = one((short)i);
    if (last)
      last->next = c;
    else
      first = c;
    last = c;
  }
  return first;
}

//~ CONTRACT link_list(l) => link_list(l) * link_list(\result)
struct link *copy(struct link *l) {
  struct link *r = 0, **end = &r;
  for (; l; l = l->next) {
    struct link *c = malloc(sizeof *c);
    c->v = l->v;
  c->tag = 0;
    c->next = 0;
    *end = c;
    end = &c->next;
  }
  return r;
}
