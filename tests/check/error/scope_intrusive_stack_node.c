/* A wait entry on the stack stays in the global list. */
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

struct list_head { struct list_head *next, *prev; };
static struct list_head waiters = {&waiters, &waiters};

static void wait_once(void)
{
    struct list_head self;
    self.next = waiters.next;
    self.prev = &waiters;
    waiters.next->prev = &self;
    waiters.next = &self;
    if (__VERIFIER_nondet_int() == 0) {
        self.prev->next = self.next;
        self.next->prev = self.prev;
    }
}

int main(void)
{
    wait_once();
    int n = 0;
    for (struct list_head *p = waiters.next; p != &waiters && n < 3; p = p->next) //~ ERROR use-after-scope
        n++;
    return n;
}
