int dflt(void) { return 10; }
int more(void) __attribute__((weak, alias("dflt")));
