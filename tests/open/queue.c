// Queues: a record with both ends of a list.
void *malloc(unsigned long);
void free(void *);
struct qn { struct qn *next; int v; };
struct queue { struct qn *head, *tail; };

void init(struct queue *q) { //~ CONTRACT q -> struct queue { } => q -> struct queue { head: 0, tail: 0 }
  q->head = q->tail = 0;
}

struct queue *make(void) { //~ CONTRACT emp => \result -> struct queue { head: 0, tail: 0 }
  struct queue *q = malloc(sizeof *q);
  init(q);
  return q;
}

int is_empty(struct queue *q) { //~ CONTRACT
  return q->head == 0;
}

void enqueue(struct queue *q, int v) { //~ CONTRACT
  struct qn *n = malloc(sizeof *n);
  n->v = v;
  n->next = 0;
  if (q->tail)
    q->tail->next = n;
  else
    q->head = n;
  q->tail = n;
}

int dequeue(struct queue *q) { //~ CONTRACT
  struct qn *n = q->head;
  if (!n)
    return -1;
  int v = n->v;
  q->head = n->next;
  if (!q->head)
    q->tail = 0;
  free(n);
  return v;
}

int sum(struct queue *q) { //~ CONTRACT
  int s = 0;
  for (struct qn *n = q->head; n; n = n->next)
    s ^= n->v;
  return s;
}

void clear(struct queue *q) { //~ CONTRACT
  while (q->head) {
    struct qn *n = q->head->next;
    free(q->head);
    q->head = n;
  }
  q->tail = 0;
}

void destroy(struct queue *q) { //~ CONTRACT
  clear(q);
  free(q);
}
