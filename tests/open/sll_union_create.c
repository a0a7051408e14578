// Singly-linked lists with a union before the link: creation.
void *malloc(unsigned long);
void free(void *);
struct either { union { long v; char text[8]; }; struct either *next; };

//~ CONTRACT emp => \result -> struct either { v: v, next: 0 }
struct either *one(long v) {
  struct either *n = malloc(sizeof *n);
  n->v = v;
  n->next = 0;
  return n;
}

//~ CONTRACT emp => \result -> struct either { v: v, next: x1 } * x1 -> struct either { v: w, next: 0 }
struct either *two(long v, long w) {
  struct either *n = one(v);
  n->next = one(w);
  return n;
}

//~ CONTRACT emp => \result == 0 && n <= 0
//~ | \result -> struct either { v: _, next: x1 } * either_list(x1) && n >= 1
struct either *many(int n) {
  struct either *l = 0;
  while (n-- > 0) {
    struct either *c = one((long)n);
    c->next = l;
    l = c;
  }
  return l;
}

//~ CONTRACT emp => \result == 0 && n <= 0
//~ | either_list(\result) && \result != 0 && n >= 1
struct either *in_order(int n) {
  struct either *first = 0, *last = 0;
  for (int i = 0; i < n; i++) {
    struct either *c = one((long)i);
    if (last)
      last->next = c;
    else
      first = c;
    last = c;
  }
  return first;
}

//~ CONTRACT either_list(l) => either_list(l) * either_list(\result)
struct either *copy(struct either *l) {
  struct either *r = 0, **end = &r;
  for (; l; l = l->next) {
    struct either *c = malloc(sizeof *c);
    c->v = l->v;
    c->next = 0;
    *end = c;
    end = &c->next;
  }
  return r;
}
