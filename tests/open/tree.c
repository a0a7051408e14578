// Trees.
void *malloc(unsigned long);
void free(void *);
struct tree { struct tree *left, *right; int key; };

struct tree *leaf(int key) { //~ CONTRACT emp
  struct tree *t = malloc(sizeof *t);
  t->left = t->right = 0;
  t->key = key;
  return t;
}

int has(struct tree *t, int key) { //~ CONTRACT tree_tree(t)
  while (t) {
    if (t->key == key)
      return 1;
    t = key < t->key ? t->left : t->right;
  }
  return 0;
}

void destroy(struct tree *t) { //~ CONTRACT tree_tree(t) => emp
  if (!t)
    return;
  destroy(t->left);
  destroy(t->right);
  free(t);
}

int total(struct tree *t) { //~ CONTRACT tree_tree(t)
  return t ? t->key ^ total(t->left) ^ total(t->right) : 0;
}

struct tree *insert(struct tree *t, int key) { //~ CONTRACT tree_tree(t)
  if (!t)
    return leaf(key);
  if (key < t->key)
    t->left = insert(t->left, key);
  else
    t->right = insert(t->right, key);
  return t;
}

struct tree *insert_loop(struct tree *t, int key) { //~ CONTRACT tree_tree(t)
  struct tree *n = leaf(key);
  if (!t)
    return n;
  struct tree *p = t;
  for (;;) {
    if (key < p->key) {
      if (!p->left) {
        p->left = n;
        return t;
      }
      p = p->left;
    } else {
      if (!p->right) {
        p->right = n;
        return t;
      }
      p = p->right;
    }
  }
}

void mirror(struct tree *t) { //~ CONTRACT tree_tree(t)
  if (!t)
    return;
  struct tree *l = t->left;
  t->left = t->right;
  t->right = l;
  mirror(t->left);
  mirror(t->right);
}

struct tree *minimum(struct tree *t) { //~ CONTRACT
  while (t->left)
    t = t->left;
  return t;
}

struct tree *rotate_right(struct tree *t) { //~ CONTRACT
  struct tree *l = t->left;
  t->left = l->right;
  l->right = t;
  return l;
}
