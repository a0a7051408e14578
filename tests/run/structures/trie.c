#include <stdio.h>
#include <stdlib.h>

struct trie { struct trie *child[26]; unsigned ends : 1; unsigned passing : 15; };

static void add(struct trie *t, const char *word)
{
    for (; *word; word++) {
        struct trie **c = &t->child[*word - 'a'];
        if (!*c)
            *c = calloc(1, sizeof **c);
        t = *c;
        t->passing++;
    }
    t->ends = 1;
}
static int count_prefix(const struct trie *t, const char *prefix)
{
    while (*prefix) {
        t = t->child[*prefix++ - 'a'];
        if (!t)
            return 0;
    }
    return t->passing;
}
static void print(const struct trie *t, char *buffer, int depth)
{
    if (t->ends) {
        buffer[depth] = '\0';
        puts(buffer);
    }
    for (int i = 0; i < 26; i++)
        if (t->child[i]) {
            buffer[depth] = (char)('a' + i);
            print(t->child[i], buffer, depth + 1);
        }
}
static int release(struct trie *t)
{
    int n = 1;
    for (struct trie **c = t->child; c < t->child + 26; c++)
        if (*c)
            n += release(*c);
    free(t);
    return n;
}

int main(void)
{
    struct trie *root = calloc(1, sizeof *root);
    const char *const words[] = {"car", "card", "care", "cat", "dog", "do", "a"};
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        add(root, words[i]);
    char buffer[16];
    print(root, buffer, 0);
    printf("%d %d %d\n", count_prefix(root, "car"), count_prefix(root, "do"), count_prefix(root, "x"));
    printf("%d nodes\n", release(root));
    return 0;
}
