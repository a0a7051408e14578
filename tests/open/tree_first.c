// Binary trees.
void *malloc(unsigned long);
void free(void *);
struct tree { struct tree *left, *right; int v; };

struct tree *leaf(int v) { //~ CONTRACT emp
  struct tree *t = malloc(sizeof *t);
  t->left = t->right = 0;
  t->v = v;
  return t;
}

struct tree *join(struct tree *l, struct tree *r, int v) { //~ CONTRACT emp
  struct tree *t = leaf(v);
  t->left = l;
  t->right = r;
  return t;
}

//~ CONTRACT tree_tree(t) => t -> struct tree { left: x1, right: x2, v: _ } * tree_tree(x1) * tree_tree(x2)
//~ | t == 0 && \result == 0
int count(struct tree *t) {
  return t ? (1 + count(t->left) + count(t->right)) & 0xffff : 0;
}

//~ CONTRACT tree_tree(t) => t -> struct tree { left: x1, right: x2, v: _ } * tree_tree(x1) * tree_tree(x2)
//~ | t == 0 && \result == 0
int height(struct tree *t) {
  if (!t)
    return 0;
  int l = height(t->left), r = height(t->right);
  return ((l > r ? l : r) + 1) & 0xffff;
}

//~ CONTRACT tree_tree(t) => t == 0 && \result == 0
//~ | t -> struct tree { left: x1, right: x2, v: _ } * tree_tree(x1) * tree_tree(x2)
int sum(struct tree *t) {
  if (!t)
    return 0;
  return t->v ^ sum(t->left) ^ sum(t->right);
}

struct tree *least(struct tree *t) { //~ CONTRACT
  while (t && t->left)
    t = t->left;
  return t;
}

struct tree *find(struct tree *t, int v) { //~ CONTRACT
  while (t && t->v != v)
    t = v < t->v ? t->left : t->right;
  return t;
}

struct tree *copy(struct tree *t) { //~ CONTRACT tree_tree(t) => tree_tree(t) * tree_tree(\result)
  if (!t)
    return 0;
  struct tree *l = copy(t->left), *r = copy(t->right);
  return join(l, r, t->v);
}

void mirror(struct tree *t) { //~ CONTRACT tree_tree(t) => tree_tree(t)
  if (!t)
    return;
  struct tree *l = t->left;
  t->left = t->right;
  t->right = l;
  mirror(t->left);
  mirror(t->right);
}

struct tree *insert(struct tree *t, int v) { //~ CONTRACT tree_tree(t)
  if (!t)
    return leaf(v);
  if (v < t->v)
    t->left = insert(t->left, v);
  else if (v > t->v)
    t->right = insert(t->right, v);
  return t;
}

struct tree *rotate_left(struct tree *t) { //~ CONTRACT
  struct tree *r = t->right;
  t->right = r->left;
  r->left = t;
  return r;
}

void destroy(struct tree *t) { //~ CONTRACT tree_tree(t) => emp
  if (t) {
    destroy(t->left);
    destroy(t->right);
    free(t);
  }
}
