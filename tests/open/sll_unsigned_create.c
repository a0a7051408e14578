// Singly-linked lists with one byte before the link: creation.
void *malloc(unsigned long);
void free(void *);
struct count { unsigned char v; struct count *next; };

struct count *one(unsigned char v) { //~ CONTRACT emp => \result -> struct count { v: v, next: 0 }
  struct count *n = malloc(sizeof *n);
  n->v = v;
  n->next = 0;
  return n;
}

struct count *two(unsigned char v, unsigned char w) { //~ CONTRACT emp => \result -> struct count { v: v, next: x } * x -> struct count { v: w, next: 0 }
  struct count *n = one(v);
  n->next = one(w);
  return n;
}

//~ CONTRACT emp => \result == 0 && n <= 0
//~ | \result -> struct count { v: _, next: x1 } * count_list(x1) && n >= 1
struct count *many(int n) {
  struct count *l = 0;
  while (n-- > 0) {
    struct count *c = one((unsigned char)n);
    c->next = l;
    l = c;
  }
  return l;
}

//~ CONTRACT emp => \result == 0 && n <= 0
//~ | count_list(\result) && \result != 0 && n >= 1
struct count *in_order(int n) {
  struct count *first = 0, *last = 0;
  for (int i = 0; i < n; i++) {
    struct count *c = one((unsigned char)i);
    if (last)
      last->next = c;
    else
      first = c;
    last = c;
  }
  return first;
}

//~ CONTRACT count_list(l) => count_list(l) * count_list(\result)
struct count *copy(struct count *l) {
  struct count *r = 0, **end = &r;
  for (; l; l = l->next) {
    struct count *c = malloc(sizeof *c);
    c->v = l->v;
    c->next = 0;
    *end = c;
    end = &c->next;
  }
  return r;
}
