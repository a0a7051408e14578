// Singly-linked lists with a link that is not aligned: creation.
void *malloc(unsigned long);
void free(void *);
struct __attribute__((packed)) pack { char tag; struct pack *next; int v; };

struct pack *one(int v) { //~ CONTRACT emp => \result -> struct pack { v: v, next: 0, tag: 0 }
  struct pack *n = malloc(sizeof *n);
  n->v = v;
  n->tag = 0;
  n->next = 0;
  return n;
}

struct pack *two(int v, int w) { //~ CONTRACT emp => \result -> struct pack { v: v, next: x, tag: 0 } * x -> struct pack { v: w, next: 0, tag: 0 }
  struct pack *n = one(v);
  n->next = one(w);
  return n;
}

//~ CONTRACT emp => \result == 0 && n <= 0
//~ | \result -> struct pack { tag: 0, next: x1, v: _ } * pack_list(x1) && n >= 1
struct pack *many(int n) {
  struct pack *l = 0;
  while (n-- > 0) {
    struct pack *c = one((int)n);
    c->next = l;
    l = c;
  }
  return l;
}

//~ CONTRACT emp => \result == 0 && n <= 0
//~ | pack_list(\result) && \result != 0 && n >= 1
struct pack *in_order(int n) {
  struct pack *first = 0, *last = 0;
  for (int i = 0; i < n; i++) {
    struct pack *c = one((int)i);
    if (last)
      last->next = c;
    else
      first = c;
    last = c;
  }
  return first;
}

//~ CONTRACT pack_list(l) => pack_list(l) * pack_list(\result)
struct pack *copy(struct pack *l) {
  struct pack *r = 0, **end = &r;
  for (; l; l = l->next) {
    struct pack *c = malloc(sizeof *c);
    c->v = l->v;
  c->tag = 0;
    c->next = 0;
    *end = c;
    end = &c->next;
  }
  return r;
}
