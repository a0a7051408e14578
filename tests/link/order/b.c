struct T { int x; };
struct T *p;
int lengths[3] = {1, 2, 3};
int f(void);
int main(void) { return p ? p->x : f(); }
