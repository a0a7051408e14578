// Trees with any number of children: first child and next sibling.
void *malloc(unsigned long);
void free(void *);
struct kid { struct kid *child, *sibling; int v; };

struct kid *make(int v) { //~ CONTRACT emp
  struct kid *k = malloc(sizeof *k);
  k->child = k->sibling = 0;
  k->v = v;
  return k;
}

void add_child(struct kid *p, struct kid *c) { //~ CONTRACT
  c->sibling = p->child;
  p->child = c;
}

int children(struct kid *k) { //~ CONTRACT
  int n = 0;
  for (struct kid *c = k->child; c; c = c->sibling)
    n = (n + 1) & 255;
  return n;
}

int total(struct kid *k) { //~ CONTRACT
  int s = 0;
  for (; k; k = k->sibling)
    s ^= k->v ^ total(k->child);
  return s;
}

void destroy(struct kid *k) { //~ CONTRACT
  while (k) {
    struct kid *n = k->sibling;
    destroy(k->child);
    free(k);
    k = n;
  }
}
