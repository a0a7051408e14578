int twice(int x) { return 2 * x; }
int thrice(int x);
int go(void) { return thrice(2); }
