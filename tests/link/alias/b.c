extern int other; int early(int);
void bump(void) { other++; }
int dflt(void) { return 10; }
int more(void) __attribute__((weak, alias("dflt")));
int use(void) { return early(4) + more(); }
