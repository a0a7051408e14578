// Binary trees.
void *malloc(unsigned long);
void free(void *);
struct keyed { int v; struct keyed *left; char *name; struct keyed *right; };

struct keyed *leaf(int v) { //~ CONTRACT emp
  struct keyed *t = malloc(sizeof *t);
  t->left = t->right = 0;
  t->v = v;
  t->name = 0;
  return t;
}

struct keyed *join(struct keyed *l, struct keyed *r, int v) { //~ CONTRACT emp
  struct keyed *t = leaf(v);
  t->left = l;
  t->right = r;
  return t;
}

//~ CONTRACT keyed_tree(t) => t -> struct keyed { v: _, left: x1, name: _, right: x2 } * keyed_tree(x1) * keyed_tree(x2)
//~ | t == 0 && \result == 0
int count(struct keyed *t) {
  return t ? (1 + count(t->left) + count(t->right)) & 0xffff : 0;
}

//~ CONTRACT keyed_tree(t) => t -> struct keyed { v: _, left: x1, name: _, right: x2 } * keyed_tree(x1) * keyed_tree(x2)
//~ | t == 0 && \result == 0
int height(struct keyed *t) {
  if (!t)
    return 0;
  int l = height(t->left), r = height(t->right);
  return ((l > r ? l : r) + 1) & 0xffff;
}

//~ CONTRACT keyed_tree(t) => t == 0 && \result == 0
//~ | t -> struct keyed { v: _, left: x1, name: _, right: x2 } * keyed_tree(x1) * keyed_tree(x2)
int sum(struct keyed *t) {
  if (!t)
    return 0;
  return t->v ^ sum(t->left) ^ sum(t->right);
}

struct keyed *least(struct keyed *t) { //~ CONTRACT
  while (t && t->left)
    t = t->left;
  return t;
}

struct keyed *find(struct keyed *t, int v) { //~ CONTRACT
  while (t && t->v != v)
    t = v < t->v ? t->left : t->right;
  return t;
}

struct keyed *copy(struct keyed *t) { //~ CONTRACT keyed_tree(t) => keyed_tree(t) * keyed_tree(\result)
  if (!t)
    return 0;
  struct keyed *l = copy(t->left), *r = copy(t->right);
  return join(l, r, t->v);
}

void mirror(struct keyed *t) { //~ CONTRACT keyed_tree(t) => keyed_tree(t)
  if (!t)
    return;
  struct keyed *l = t->left;
  t->left = t->right;
  t->right = l;
  mirror(t->left);
  mirror(t->right);
}

struct keyed *insert(struct keyed *t, int v) { //~ CONTRACT keyed_tree(t)
  if (!t)
    return leaf(v);
  if (v < t->v)
    t->left = insert(t->left, v);
  else if (v > t->v)
    t->right = insert(t->right, v);
  return t;
}

struct keyed *rotate_left(struct keyed *t) { //~ CONTRACT
  struct keyed *r = t->right;
  t->right = r->left;
  r->left = t;
  return r;
}

void destroy(struct keyed *t) { //~ CONTRACT keyed_tree(t) => emp
  if (t) {
    destroy(t->left);
    destroy(t->right);
    free(t);
  }
}
