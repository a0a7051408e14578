// Singly-linked lists with data before the link: traversal and search.
void *malloc(unsigned long);
void free(void *);
struct node { int v; struct node *next; };

//~ CONTRACT node_list(l) => node_list(l) && \result >= 0
int length(const struct node *l) {
  int n = 0;
  for (; l; l = l->next)
    n = (n + 1) & 0xfff;
  return n;
}

//~ CONTRACT node_list(l) => node_list(l)
int sum(struct node *l) {
  int s = 0;
  while (l) {
    s = (int)(s ^ l->v);
    l = l->next;
  }
  return s;
}

//~ CONTRACT node_list(l) => node_list(l)
void clear_data(struct node *l) {
  for (; l; l = l->next)
    l->v = 0;
}

//~ CONTRACT node_list(l) => node_list(l) && \result == 1 && l != 0
//~ | node_list(l) && \result == 0
int contains(struct node *l, int v) {
  while (l) {
    if (l->v == v)
      return 1;
    l = l->next;
  }
  return 0;
}

struct node *find(struct node *l, int v) { //~ CONTRACT node_list(l)
  while (l && l->v != v)
    l = l->next;
  return l;
}

struct node *last(struct node *l) { //~ CONTRACT node_list(l) && l != null
  while (l->next)
    l = l->next;
  return l;
}

struct node *nth(struct node *l, int n) { //~ CONTRACT node_list(l)
  while (l && n-- > 0)
    l = l->next;
  return l;
}

struct node *largest(struct node *l) { //~ CONTRACT node_list(l) && l != null
  struct node *m = l;
  for (l = l->next; l; l = l->next)
    if (l->v > m->v)
      m = l;
  return m;
}

//~ CONTRACT node_list(a); node_list(b) => node_list(a; x1) * node_list(b; x2) * node_list(x1) * node_list(x2) && \result == 0
//~ | node_list(a) * node_list(b) && \result == 1
int equal(struct node *a, struct node *b) {
  while (a && b && a->v == b->v) {
    a = a->next;
    b = b->next;
  }
  return !a && !b;
}
