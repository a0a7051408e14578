#include <stddef.h>
#include <stdio.h>

#define container_of(ptr, type, member) ({ \
    const __typeof__(((type *)0)->member) *m_ = (ptr); \
    (type *)((char *)m_ - __builtin_offsetof(type, member)); })

struct link { struct link *next; };
struct item { int key; char pad[3]; struct link link; double weight; struct { int deep[4]; } in[2]; };

int main(void)
{
    struct item items[3] = {{1, "a", {0}, 1.5}, {2, "b", {0}, 2.5}, {3, "c", {0}, 3.5}};
    struct link *head = 0;
    for (int i = 0; i < 3; i++) {
        items[i].link.next = head;
        head = &items[i].link;
    }
    for (struct link *l = head; l; l = l->next) {
        struct item *it = container_of(l, struct item, link);
        printf("%d %s %g\n", it->key, it->pad, it->weight);
    }
    printf("%d\n", (int)offsetof(struct item, pad));
    printf("%d\n", (int)(__builtin_offsetof(struct item, in[1].deep[2]) - offsetof(struct item, in)));
    int i = 1;
    printf("%d\n", (int)(__builtin_offsetof(struct item, in[i].deep[i + 2]) - offsetof(struct item, in[1])));
    printf("%d\n", (size_t) & ((struct item *)0)->pad == 4);
    _Static_assert(offsetof(struct item, pad) == 4, "constant");
    char *base = (char *)&items[1];
    printf("%d\n", *(int *)(base + offsetof(struct item, key)));
    return 0;
}
