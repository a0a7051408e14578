// Singly-linked lists with records and arrays around the link: creation.
void *malloc(unsigned long);
void free(void *);
struct page { int lines[2]; struct page *next; struct { int v, w; } at; };

struct page *one(int v) { //~ CONTRACT emp => \result -> struct page { at.v: v, next: 0, lines[0]: 0, lines[1]: 0, at.w: 0 }
  struct page *n = malloc(sizeof *n);
  n->at.v = v;
  n->lines[0] = n->lines[1] = n->at.w = 0;
  n->next = 0;
  return n;
}

struct page *two(int v, int w) { //~ CONTRACT emp => \result -> struct page { at.v: v, next: x, lines[0]: 0, lines[1]: 0, at.w: 0 } * x -> struct page { at.v: w, next: 0, lines[0]: 0, lines[1]: 0, at.w: 0 }
  struct page *n = one(v);
  n->next = one(w);
  return n;
}

//~ CONTRACT emp => \result == 0 && n <= 0
//~ | \result -> struct page { lines[0]: 0, lines[1]: 0, next: x1, at.v: _, at.w: 0 } * page_list(x1) && n >= 1
struct page *many(int n) {
  struct page *l = 0;
  while (n-- > 0) {
    struct page *c = one((int)n);
    c->next = l;
    l = c;
  }
  return l;
}

//~ CONTRACT emp => \result == 0 && n <= 0
//~ | page_list(\result) && \result != 0 && n >= 1
struct page *in_order(int n) {
  struct page *first = 0, *last = 0;
  for (int i = 0; i < n; i++) {
    struct page *c = one((int)i);
    if (last)
      last->next = c;
    else
      first = c;
    last = c;
  }
  return first;
}

//~ CONTRACT page_list(l) => page_list(l) * page_list(\result)
struct page *copy(struct page *l) {
  struct page *r = 0, **end = &r;
  for (; l; l = l->next) {
    struct page *c = malloc(sizeof *c);
    c->at.v = l->at.v;
  c->lines[0] = c->lines[1] = c->at.w = 0;
    c->next = 0;
    *end = c;
    end = &c->next;
  }
  return r;
}
