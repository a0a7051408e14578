// Lists in the style of a kernel: elements around the links, with data before and after.
void *malloc(unsigned long);
void free(void *);
struct list_head { struct list_head *next, *prev; };
struct entry { int key; struct list_head link; long value; };

struct entry *make(int key) { //~ CONTRACT
  struct entry *e = malloc(sizeof *e);
  e->key = key;
  e->value = 0;
  e->link.next = &e->link;
  e->link.prev = &e->link;
  return e;
}

static struct entry *entry_of(struct list_head *p) { //~ CONTRACT emp
  return (struct entry *)((char *)p - __builtin_offsetof(struct entry, link));
}

int key_of(struct list_head *p) { //~ CONTRACT
  return entry_of(p)->key;
}

void insert(struct entry *e, struct list_head *h) { //~ CONTRACT
  e->link.next = h->next;
  e->link.prev = h;
  h->next->prev = &e->link;
  h->next = &e->link;
}

int sum(struct list_head *h) { //~ NONE nothing is known of the pointer; it may be null
  int s = 0;
  for (struct list_head *p = h->next; p != h; p = p->next)
    s ^= entry_of(p)->key;
  return s;
}

void destroy(struct list_head *h) { //~ NONE the pointer does not lead to the start of its block
  struct list_head *p = h->next;
  while (p != h) {
    struct list_head *n = p->next;
    free(entry_of(p));
    p = n;
  }
  h->next = h;
  h->prev = h;
}
