// Lists whose elements own others, records around lists, rings.
void *malloc(unsigned long);
void free(void *);
struct item { struct item *next; int value; };
struct row { struct row *below; struct item *first; };
struct data { int x; };
struct holder { struct holder *next; struct data *data; };
struct queue { struct item *head, *tail; int count; };

void destroy_items(struct item *i) { //~ CONTRACT item_list(i) => emp
  while (i) {
    struct item *n = i->next;
    free(i);
    i = n;
  }
}

void destroy_rows(struct row *r) { //~ CONTRACT row_list_first(r) => emp
  while (r) {
    struct row *n = r->below;
    destroy_items(r->first);
    free(r);
    r = n;
  }
}

void destroy_holders(struct holder *h) { //~ CONTRACT holder_list_data(h) => emp
  while (h) {
    struct holder *n = h->next;
    free(h->data);
    free(h);
    h = n;
  }
}

int sum_holders(struct holder *h) { //~ CONTRACT holder_list_data(h)
  int s = 0;
  for (; h; h = h->next)
    if (h->data)
      s ^= h->data->x;
  return s;
}

void init(struct queue *q) { //~ CONTRACT q -> struct queue { }
  q->head = q->tail = 0;
  q->count = 0;
}

void enqueue(struct queue *q, int v) { //~ CONTRACT
  struct item *n = malloc(sizeof *n);
  n->value = v;
  n->next = 0;
  if (q->head)
    q->tail->next = n;
  else
    q->head = n;
  q->tail = n;
}

void clear(struct queue *q) { //~ CONTRACT
  destroy_items(q->head);
  q->head = q->tail = 0;
}

int ring_sum(struct item *l) { //~ CONTRACT
  int s = 0;
  struct item *p = l;
  do {
    s ^= p->value;
    p = p->next;
  } while (p != l);
  return s;
}

void ring_insert(struct item *l, int v) { //~ CONTRACT
  struct item *n = malloc(sizeof *n);
  n->value = v;
  n->next = l->next;
  l->next = n;
}
