#include <stdio.h>

int main(void)
{
    int v = 10;
    printf("%d ", __sync_fetch_and_add(&v, 5));
    printf("%d ", __sync_add_and_fetch(&v, 5));
    printf("%d ", __sync_fetch_and_sub(&v, 1));
    printf("%d\n", __sync_sub_and_fetch(&v, 1));
    printf("%d ", __sync_fetch_and_or(&v, 0x100));
    printf("%d ", __sync_and_and_fetch(&v, 0xff));
    printf("%d\n", __sync_xor_and_fetch(&v, 3));
    printf("%d ", __sync_bool_compare_and_swap(&v, 17, 50));
    printf("%d ", __sync_val_compare_and_swap(&v, 50, 60));
    printf("%d\n", v);
    __sync_synchronize();
    int lock = 0;
    printf("%d ", __sync_lock_test_and_set(&lock, 1));
    __sync_lock_release(&lock);
    printf("%d\n", lock);
    long w = 1;
    printf("%ld ", __atomic_fetch_add(&w, 2, __ATOMIC_SEQ_CST));
    printf("%ld ", __atomic_add_fetch(&w, 2, __ATOMIC_RELAXED));
    printf("%ld ", __atomic_exchange_n(&w, 9, __ATOMIC_ACQ_REL));
    printf("%ld\n", __atomic_load_n(&w, __ATOMIC_ACQUIRE));
    __atomic_store_n(&w, 20, __ATOMIC_RELEASE);
    long expected = 20, got;
    printf("%d ", __atomic_compare_exchange_n(&w, &expected, 30, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    expected = 1;
    printf("%d ", __atomic_compare_exchange_n(&w, &expected, 40, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    __atomic_load(&w, &got, __ATOMIC_SEQ_CST);
    printf("%ld %ld\n", expected, got);
    char *p = "ab";
    char *q = __atomic_exchange_n(&p, p + 1, __ATOMIC_SEQ_CST);
    printf("%s %s\n", q, p);
    unsigned char c = 250;
    printf("%d ", __sync_add_and_fetch(&c, 10));
    printf("%d\n", __atomic_nand_fetch(&v, 8, __ATOMIC_SEQ_CST));
    return 0;
}
