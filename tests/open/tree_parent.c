// Trees with pointers to the parent.
void *malloc(unsigned long);
void free(void *);
struct up { struct up *left, *right, *parent; int v; };

struct up *leaf(struct up *parent, int v) { //~ CONTRACT emp
  struct up *t = malloc(sizeof *t);
  t->left = t->right = 0;
  t->parent = parent;
  t->v = v;
  return t;
}

struct up *root(struct up *t) { //~ CONTRACT
  while (t->parent)
    t = t->parent;
  return t;
}

struct up *leftmost(struct up *t) { //~ CONTRACT
  while (t->left)
    t = t->left;
  return t;
}

int count(struct up *t) { //~ CONTRACT
  return t ? (1 + count(t->left) + count(t->right)) & 0xffff : 0;
}

void adopt(struct up *t, struct up *c) { //~ CONTRACT
  t->left = c;
  if (c)
    c->parent = t;
}

void set_parents(struct up *t, struct up *parent) { //~ NONE it does not return from the only starts that were found
  if (t) {
    t->parent = parent;
    set_parents(t->left, t);
    set_parents(t->right, t);
  }
}

void destroy(struct up *t) { //~ CONTRACT
  if (t) {
    destroy(t->left);
    destroy(t->right);
    free(t);
  }
}
