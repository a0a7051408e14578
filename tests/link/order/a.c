extern struct T *p;
extern int lengths[];
int f(void) { return (p != 0) + lengths[2]; }
