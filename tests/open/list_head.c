// Lists in the style of a kernel: the links alone.
void *malloc(unsigned long);
void free(void *);
struct list_head { struct list_head *next, *prev; };

void init_list_head(struct list_head *h) { //~ CONTRACT
  h->next = h;
  h->prev = h;
}

static void between(struct list_head *n, struct list_head *prev, struct list_head *next) { //~ CONTRACT
  next->prev = n;
  n->next = next;
  n->prev = prev;
  prev->next = n;
}

void add(struct list_head *n, struct list_head *h) { //~ CONTRACT
  between(n, h, h->next);
}

void add_tail(struct list_head *n, struct list_head *h) { //~ CONTRACT
  between(n, h->prev, h);
}

static void connect(struct list_head *prev, struct list_head *next) { //~ CONTRACT prev -> struct list_head { }; next -> struct list_head { }
  next->prev = prev;
  prev->next = next;
}

void del(struct list_head *e) { //~ CONTRACT
  connect(e->prev, e->next);
  e->next = 0;
  e->prev = 0;
}

void del_init(struct list_head *e) { //~ CONTRACT
  connect(e->prev, e->next);
  init_list_head(e);
}

int is_empty(const struct list_head *h) { //~ CONTRACT
  return h->next == h;
}

int is_singular(const struct list_head *h) { //~ CONTRACT
  return h->next != h && h->next == h->prev;
}

void replace(struct list_head *old, struct list_head *n) { //~ CONTRACT
  n->next = old->next;
  n->next->prev = n;
  n->prev = old->prev;
  n->prev->next = n;
}

int count(struct list_head *h) { //~ CONTRACT
  int c = 0;
  for (struct list_head *p = h->next; p != h; p = p->next)
    c = (c + 1) & 255;
  return c;
}
