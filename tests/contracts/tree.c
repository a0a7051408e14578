// Binary trees, with and without parent pointers; two kinds of nodes; mutual recursion.
void *malloc(unsigned long);
void free(void *);
struct tree { struct tree *left, *right; int key; };
struct ptree { struct ptree *left, *right, *parent; int leaf; };
struct inner { struct child *children; };
struct child { struct inner *tree; struct child *next; };

/*@ predicate tree(t) = t == null | t -> struct tree { left: l, right: r, .. } * tree(l) * tree(r);
    predicate ptree(t, up, root) =
        t -> struct ptree { left: root, right: root, parent: up, leaf: 1 }
      | t -> struct ptree { left: l, right: r, parent: up, leaf: 0 } * ptree(l, t, root) * ptree(r, t, root);
    predicate inner(t) = t -> struct inner { children: c } * children(c);
    predicate children(c) = c == null | c -> struct child { tree: t, next: n } * inner(t) * children(n); */

/*@ requires tree(t); ensures tree(t); */
int contains(struct tree *t, int k) { //~ SAFE
  while (t) {
    if (t->key == k) return 1;
    t = k < t->key ? t->left : t->right;
  }
  return 0;
}

/*@ requires tree(t); ensures tree(\result); */
struct tree *insert(struct tree *t, int k) { //~ SAFE
  if (!t) {
    struct tree *n = malloc(sizeof *n);
    n->left = n->right = 0;
    n->key = k;
    return n;
  }
  if (k < t->key) t->left = insert(t->left, k);
  else t->right = insert(t->right, k);
  return t;
}

/*@ requires tree(t); ensures tree(\result); */
struct tree *insert_lost(struct tree *t, int k) { //~ ERROR leak
  if (!t) {
    struct tree *n = malloc(sizeof *n);
    n->left = n->right = 0;
    n->key = k;
    return n;
  }
  if (k < t->key) insert_lost(t->left, k);
  else t->right = insert_lost(t->right, k);
  return t;
}

/*@ requires tree(t); ensures emp; */
void destroy(struct tree *t) { //~ SAFE
  if (!t) return;
  destroy(t->left);
  destroy(t->right);
  free(t);
}

/*@ requires tree(t); ensures emp; */
void destroy_left_only(struct tree *t) { //~ ERROR leak
  if (!t) return;
  destroy_left_only(t->left);
  free(t);
}

/*@ requires tree(t) && t != null; ensures tree(\result); */
struct tree *rotate(struct tree *t) { //~ SAFE
  struct tree *l = t->left;
  if (!l) return t;
  t->left = l->right;
  l->right = t;
  return l;
}

/*@ requires tree(t) && t != null; ensures tree(\result); */
struct tree *rotate_wrongly(struct tree *t) { //~ ERROR leak
  struct tree *l = t->left;
  if (!l) return t;
  t->left = l->left;
  l->right = t;
  return l;
}

/*@ requires ptree(t, null, t); ensures ptree(t, null, t); */
int depth(struct ptree *t) { //~ SAFE
  unsigned n = 0;
  while (!t->leaf) {
    t = t->left;
    n++;
  }
  return n > 3;
}

/*@ requires ptree(t, null, r); ensures emp; */
void cut(struct ptree *t, struct ptree *r) { //~ SAFE
  if (!t->leaf) {
    t->left->parent = 0;
    t->right->parent = 0;
    cut(t->left, r);
    cut(t->right, r);
  }
  free(t);
}

/*@ requires ptree(t, null, t); ensures ptree(t, null, t); */
void forgets_the_tag(struct ptree *t) { //~ ERROR postcondition
  t->leaf = 1;
}

/*@ requires inner(t); ensures inner(t); */
void add_child(struct inner *t) { //~ SAFE
  struct inner *i = malloc(sizeof *i);
  struct child *c = malloc(sizeof *c);
  i->children = 0;
  c->tree = i;
  c->next = t->children;
  t->children = c;
}

/*@ requires inner(t); ensures emp; */
void destroy_all(struct inner *t) { //~ SAFE
  struct child *c = t->children;
  while (c) {
    struct child *n = c->next;
    destroy_all(c->tree);
    free(c);
    c = n;
  }
  free(t);
}

/*@ requires inner(t); ensures emp; */
void destroy_top(struct inner *t) { //~ ERROR leak
  struct child *c = t->children;
  while (c) {
    struct child *n = c->next;
    free(c->tree);
    free(c);
    c = n;
  }
  free(t);
}
