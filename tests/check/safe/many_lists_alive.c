//~ SAFE
// Ten lists are alive at once; each loop works on one of them and leaves the others as they are.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int data; };

int main(void) {
  struct node *p;
  struct node *l0 = 0;
  struct node *l1 = 0;
  struct node *l2 = 0;
  struct node *l3 = 0;
  struct node *l4 = 0;
  struct node *l5 = 0;
  struct node *l6 = 0;
  struct node *l7 = 0;
  struct node *l8 = 0;
  struct node *l9 = 0;
  while (__VERIFIER_nondet_int()) { p = malloc(sizeof *p); p->data = 0; p->next = l0; l0 = p; }
  while (__VERIFIER_nondet_int()) { p = malloc(sizeof *p); p->data = 1; p->next = l1; l1 = p; }
  while (__VERIFIER_nondet_int()) { p = malloc(sizeof *p); p->data = 2; p->next = l2; l2 = p; }
  while (__VERIFIER_nondet_int()) { p = malloc(sizeof *p); p->data = 3; p->next = l3; l3 = p; }
  while (__VERIFIER_nondet_int()) { p = malloc(sizeof *p); p->data = 4; p->next = l4; l4 = p; }
  while (__VERIFIER_nondet_int()) { p = malloc(sizeof *p); p->data = 5; p->next = l5; l5 = p; }
  while (__VERIFIER_nondet_int()) { p = malloc(sizeof *p); p->data = 6; p->next = l6; l6 = p; }
  while (__VERIFIER_nondet_int()) { p = malloc(sizeof *p); p->data = 7; p->next = l7; l7 = p; }
  while (__VERIFIER_nondet_int()) { p = malloc(sizeof *p); p->data = 8; p->next = l8; l8 = p; }
  while (__VERIFIER_nondet_int()) { p = malloc(sizeof *p); p->data = 9; p->next = l9; l9 = p; }
  while (l0) { p = l0->next; free(l0); l0 = p; }
  while (l1) { p = l1->next; free(l1); l1 = p; }
  while (l2) { p = l2->next; free(l2); l2 = p; }
  while (l3) { p = l3->next; free(l3); l3 = p; }
  while (l4) { p = l4->next; free(l4); l4 = p; }
  while (l5) { p = l5->next; free(l5); l5 = p; }
  while (l6) { p = l6->next; free(l6); l6 = p; }
  while (l7) { p = l7->next; free(l7); l7 = p; }
  while (l8) { p = l8->next; free(l8); l8 = p; }
  while (l9) { p = l9->next; free(l9); l9 = p; }
  return 0;
}
