// Rings of singly-linked elements.
void *malloc(unsigned long);
void free(void *);
struct ring { int v; struct ring *next; };

struct ring *one(int v) { //~ CONTRACT emp => \result -> struct ring { v: v, next: \result }
  struct ring *n = malloc(sizeof *n);
  n->v = v;
  n->next = n;
  return n;
}

void insert(struct ring *r, int v) { //~ CONTRACT r -> struct ring { next: x1, .. }
  struct ring *n = one(v);
  n->next = r->next;
  r->next = n;
}

//~ CONTRACT r -> struct ring { next: x1, .. } * ring_list(x1; r) => r -> struct ring { v: _, next: y } * ring_list(y; r)
int length(struct ring *r) {
  int n = 0;
  struct ring *p = r;
  do {
    n = (n + 1) & 255;
    p = p->next;
  } while (p != r);
  return n;
}

struct ring *find(struct ring *r, int v) { //~ CONTRACT r -> struct ring { next: x1, .. } * ring_list(x1; r)
  struct ring *p = r;
  do {
    if (p->v == v)
      return p;
    p = p->next;
  } while (p != r);
  return 0;
}

//~ CONTRACT r -> struct ring { next: x1, .. } * ring_list(x1; r) => r != 0
void destroy(struct ring *r) {
  struct ring *p = r->next;
  while (p != r) {
    struct ring *n = p->next;
    free(p);
    p = n;
  }
  free(r);
}

struct ring *before(struct ring *r) { //~ CONTRACT r -> struct ring { next: x1, .. } * ring_list(x1; r)
  struct ring *p = r;
  while (p->next != r)
    p = p->next;
  return p;
}

struct ring *close(struct ring *l) { //~ CONTRACT ring_list(l)
  if (!l)
    return 0;
  struct ring *p = l;
  while (p->next)
    p = p->next;
  p->next = l;
  return l;
}
