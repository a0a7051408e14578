// Lists whose elements own trees.
void *malloc(unsigned long);
void free(void *);
struct tn { struct tn *l, *r; int k; };
struct row { struct row *next; struct tn *tree; };

//~ CONTRACT tn_tree(t) => t -> struct tn { l: x1, r: x2, k: _ } * tn_tree(x1) * tn_tree(x2)
//~ | t == 0 && \result == 0
int size(struct tn *t) {
  return t ? (1 + size(t->l) + size(t->r)) & 255 : 0;
}

void fell(struct tn *t) { //~ CONTRACT tn_tree(t) => emp
  if (t) {
    fell(t->l);
    fell(t->r);
    free(t);
  }
}

//~ CONTRACT row_list_tree(r) => row_list_tree(r) && \result >= 0
int total(struct row *r) {
  int n = 0;
  for (; r; r = r->next)
    n = (n + size(r->tree)) & 255;
  return n;
}

void destroy(struct row *r) { //~ CONTRACT row_list_tree(r) => emp
  while (r) {
    struct row *n = r->next;
    fell(r->tree);
    free(r);
    r = n;
  }
}

struct row *push(struct row *r, struct tn *t) { //~ CONTRACT emp => \result -> struct row { next: r, tree: t }
  struct row *n = malloc(sizeof *n);
  n->next = r;
  n->tree = t;
  return n;
}
