// Binary trees.
void *malloc(unsigned long);
void free(void *);
struct bin { int v; char c; struct bin *left, *right; };

struct bin *leaf(int v) { //~ CONTRACT emp
  struct bin *t = malloc(sizeof *t);
  t->left = t->right = 0;
  t->v = v;
  t->c = 0;
  return t;
}

struct bin *join(struct bin *l, struct bin *r, int v) { //~ CONTRACT emp
  struct bin *t = leaf(v);
  t->left = l;
  t->right = r;
  return t;
}

//~ CONTRACT bin_tree(t) => t -> struct bin { v: _, c: _, left: x1, right: x2 } * bin_tree(x1) * bin_tree(x2)
//~ | t == 0 && \result == 0
int count(struct bin *t) {
  return t ? (1 + count(t->left) + count(t->right)) & 0xffff : 0;
}

//~ CONTRACT bin_tree(t) => t -> struct bin { v: _, c: _, left: x1, right: x2 } * bin_tree(x1) * bin_tree(x2)
//~ | t == 0 && \result == 0
int height(struct bin *t) {
  if (!t)
    return 0;
  int l = height(t->left), r = height(t->right);
  return ((l > r ? l : r) + 1) & 0xffff;
}

//~ CONTRACT bin_tree(t) => t == 0 && \result == 0
//~ | t -> struct bin { v: _, c: _, left: x1, right: x2 } * bin_tree(x1) * bin_tree(x2)
int sum(struct bin *t) {
  if (!t)
    return 0;
  return t->v ^ sum(t->left) ^ sum(t->right);
}

struct bin *least(struct bin *t) { //~ CONTRACT
  while (t && t->left)
    t = t->left;
  return t;
}

struct bin *find(struct bin *t, int v) { //~ CONTRACT
  while (t && t->v != v)
    t = v < t->v ? t->left : t->right;
  return t;
}

struct bin *copy(struct bin *t) { //~ CONTRACT bin_tree(t) => bin_tree(t) * bin_tree(\result)
  if (!t)
    return 0;
  struct bin *l = copy(t->left), *r = copy(t->right);
  return join(l, r, t->v);
}

void mirror(struct bin *t) { //~ CONTRACT bin_tree(t) => bin_tree(t)
  if (!t)
    return;
  struct bin *l = t->left;
  t->left = t->right;
  t->right = l;
  mirror(t->left);
  mirror(t->right);
}

struct bin *insert(struct bin *t, int v) { //~ CONTRACT bin_tree(t)
  if (!t)
    return leaf(v);
  if (v < t->v)
    t->left = insert(t->left, v);
  else if (v > t->v)
    t->right = insert(t->right, v);
  return t;
}

struct bin *rotate_left(struct bin *t) { //~ CONTRACT
  struct bin *r = t->right;
  t->right = r->left;
  r->left = t;
  return r;
}

void destroy(struct bin *t) { //~ CONTRACT bin_tree(t) => emp
  if (t) {
    destroy(t->left);
    destroy(t->right);
    free(t);
  }
}
