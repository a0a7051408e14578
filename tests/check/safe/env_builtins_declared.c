//~ SAFE
/* Builtins that the program declares are builtins all the same. */
extern void *__builtin_memset(void *, int, unsigned long);
extern int __builtin_clz(unsigned);
int main(void) {
    char b[8];
    __builtin_memset(b, 0, sizeof b);
    return b[0] + (__builtin_clz(1u) == 31 ? 0 : 1);
}
