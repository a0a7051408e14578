#include <stdatomic.h>
#include <stdio.h>

static _Atomic int counter;
static _Atomic(long) qualified = 5;
static __thread int per_thread = 3;
static _Thread_local char flag;
extern __thread int shared_name;
__thread int shared_name = 8;
struct shared { _Atomic unsigned hits; atomic_int users; };

int main(void)
{
    counter++;
    counter += 5;
    ++counter;
    int old = counter--;
    printf("%d %d\n", old, counter);
    qualified *= 3;
    printf("%ld\n", (long)qualified);
    atomic_int a = 10;
    printf("%d\n", atomic_fetch_add(&a, 4));
    printf("%d\n", atomic_load(&a));
    atomic_store(&a, 100);
    int expected = 100;
    int done = atomic_compare_exchange_strong(&a, &expected, 7);
    printf("%d %d\n", done, a);
    expected = 1;
    done = atomic_compare_exchange_strong(&a, &expected, 9);
    printf("%d %d\n", done, expected);
    printf("%d ", atomic_exchange(&a, 70));
    printf("%d\n", a + 0);
    printf("%d ", atomic_fetch_or(&a, 1));
    printf("%d\n", atomic_fetch_and(&a, 3));
    printf("%d\n", atomic_load_explicit(&a, memory_order_acquire));
    struct shared s = {0, 2};
    s.hits -= 1;
    s.users++;
    printf("%u %d\n", s.hits, s.users);
    per_thread += 4;
    flag = 'f';
    shared_name--;
    printf("%d %c %d\n", per_thread, flag, shared_name);
    atomic_flag lock = ATOMIC_FLAG_INIT;
    printf("%d ", atomic_flag_test_and_set(&lock));
    printf("%d\n", atomic_flag_test_and_set(&lock));
    atomic_thread_fence(memory_order_seq_cst);
    return 0;
}
