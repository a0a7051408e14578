// Lists with one pointer in the head and pointers to pointers back.
void *malloc(unsigned long);
void free(void *);
struct hlist_node { struct hlist_node *next, **pprev; };
struct hlist_head { struct hlist_node *first; };

void init(struct hlist_head *h) { //~ CONTRACT
  h->first = 0;
}

int unhashed(const struct hlist_node *n) { //~ CONTRACT
  return !n->pprev;
}

int is_empty(const struct hlist_head *h) { //~ CONTRACT
  return !h->first;
}

void del(struct hlist_node *n) { //~ CONTRACT
  struct hlist_node *next = n->next;
  *n->pprev = next;
  if (next)
    next->pprev = n->pprev;
}

void add_head(struct hlist_node *n, struct hlist_head *h) { //~ CONTRACT
  n->next = h->first;
  if (h->first)
    h->first->pprev = &n->next;
  h->first = n;
  n->pprev = &h->first;
}

void add_behind(struct hlist_node *n, struct hlist_node *prev) { //~ CONTRACT
  n->next = prev->next;
  prev->next = n;
  n->pprev = &prev->next;
  if (n->next)
    n->next->pprev = &n->next;
}

int count(struct hlist_head *h) { //~ CONTRACT
  int c = 0;
  for (struct hlist_node *n = h->first; n; n = n->next)
    c = (c + 1) & 255;
  return c;
}

void move(struct hlist_head *old, struct hlist_head *n) { //~ CONTRACT
  n->first = old->first;
  if (n->first)
    n->first->pprev = &n->first;
  old->first = 0;
}
