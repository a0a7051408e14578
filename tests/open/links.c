// Links inside of records, pointers back, records around lists, numbers, arrays.
void *malloc(unsigned long);
void free(void *);


struct list_head { struct list_head *next, *prev; };
struct entry { int key; struct list_head link; };
struct hnode { struct hnode *next, **pprev; };
struct hhead { struct hnode *first; };
struct rb { struct rb *left, *right, *parent; int key; };
struct vec { int *data; int size, cap; };
struct slist { struct slist *next; void *data; };
struct dlist { struct item2 *head, *tail; };
struct item2 { struct item2 *next, *prev; int v; };

void init_list(struct list_head *h) { //~ CONTRACT
  h->next = h; h->prev = h; }
void list_add(struct list_head *n, struct list_head *h) { //~ CONTRACT
  n->next = h->next; n->prev = h; h->next->prev = n; h->next = n;
}
void list_del(struct list_head *e) { //~ CONTRACT
  e->prev->next = e->next;
  e->next->prev = e->prev;
}
int list_empty(const struct list_head *h) { //~ CONTRACT
  return h->next == h; }
int list_length(struct list_head *h) { //~ CONTRACT
  int n = 0;
  for (struct list_head *p = h->next; p != h; p = p->next) n = (n + 1) & 255;
  return n;
}
int key_of(struct list_head *l) { //~ CONTRACT
  return ((struct entry *)((char *)l - __builtin_offsetof(struct entry, link)))->key; }
int sum_entries(struct list_head *h) { //~ NONE nothing is known of the pointer; it may be null
  int s = 0;
  for (struct list_head *p = h->next; p != h; p = p->next) s ^= ((struct entry *)((char *)p - __builtin_offsetof(struct entry, link)))->key;
  return s;
}
void hlist_add(struct hnode *n, struct hhead *h) { //~ CONTRACT
  n->next = h->first;
  if (h->first) h->first->pprev = &n->next;
  h->first = n;
  n->pprev = &h->first;
}
void hlist_del(struct hnode *n) { //~ CONTRACT
  *n->pprev = n->next;
  if (n->next) n->next->pprev = n->pprev;
}
struct rb *rb_first(struct rb *t) { //~ CONTRACT
  if (!t) return 0; while (t->left) t = t->left; return t; }
void rb_destroy(struct rb *t) { //~ CONTRACT
  if (t) { rb_destroy(t->left); rb_destroy(t->right); free(t); } }
int rb_depth(struct rb *n) { //~ CONTRACT
  int d = 0; while (n->parent) { n = n->parent; d = (d + 1) & 255; } return d; }
struct rb *rb_next(struct rb *n) { //~ CONTRACT
  if (n->right) { n = n->right; while (n->left) n = n->left; return n; }
  while (n->parent && n == n->parent->right) n = n->parent;
  return n->parent;
}
void rotate(struct rb *x) { //~ CONTRACT
  struct rb *y = x->right;
  x->right = y->left;
  if (y->left) y->left->parent = x;
  y->parent = x->parent;
  y->left = x;
  x->parent = y;
}
int vec_get(struct vec *v, int i) { //~ NONE nothing is known of the pointer; it may be null
  return v->data[i]; }
void vec_free(struct vec *v) { //~ CONTRACT
  free(v->data); v->data = 0; v->size = v->cap = 0; }
void sfree(struct slist *l, void (*del)(void *)) { //~ NONE it is not known which function the pointer leads to
  while (l) { struct slist *n = l->next; del(l->data); free(l); l = n; } }
void sfree2(struct slist *l) { //~ NONE nothing is known of the pointer
  while (l) { struct slist *n = l->next; free(l->data); free(l); l = n; } }
void dl_push_back(struct dlist *l, int v) { //~ CONTRACT
  struct item2 *n = malloc(sizeof *n);
  n->v = v; n->next = 0; n->prev = l->tail;
  if (l->tail) l->tail->next = n; else l->head = n;
  l->tail = n;
}
int dl_sum(struct dlist *l) { //~ CONTRACT
  int s = 0; for (struct item2 *i = l->head; i; i = i->next) s ^= i->v; return s; }
void dl_clear(struct dlist *l) { //~ CONTRACT
  while (l->head) { struct item2 *n = l->head->next; free(l->head); l->head = n; } l->tail = 0; }
int dl_pop_front(struct dlist *l) { //~ CONTRACT
  struct item2 *i = l->head;
  if (!i) return -1;
  int v = i->v;
  l->head = i->next;
  if (l->head) l->head->prev = 0; else l->tail = 0;
  free(i);
  return v;
}
void dring_insert(struct item2 *h, int v) { //~ CONTRACT
  struct item2 *n = malloc(sizeof *n);
  n->v = v; n->next = h->next; n->prev = h; h->next->prev = n; h->next = n;
}
int dring_sum(struct item2 *h) { //~ CONTRACT h -> struct item2 { next: x1, prev: x2, .. } * item2_dll(x1, h; h, x2)
  int s = 0; for (struct item2 *p = h->next; p != h; p = p->next) s ^= p->prev->v; return s; }
void dring_destroy(struct item2 *h) { //~ CONTRACT
  struct item2 *p = h->next; while (p != h) { struct item2 *n = p->next; free(p); p = n; } free(h); }
int divide(int a, int b) { //~ CONTRACT a != -2147483648; b != 0
  return a / b; }
unsigned long text_length(const char *s) { //~ CONTRACT
  unsigned long n = 0; while (s[n]) n++; return n; }
void swap(int *a, int *b) { //~ CONTRACT
  int t = *a; *a = *b; *b = t; }
void fill(int *a, int n) { //~ CONTRACT
  for (int i = 0; i < n; i++) a[i] = 0; }
struct entry *new_entry(int k) { //~ CONTRACT
  struct entry *e = malloc(sizeof *e); e->key = k; init_list(&e->link); return e; }
