#include <alloca.h>
#include <stdio.h>
#include <string.h>

struct node { int v; struct node *next; };

static int reverse_sum(int n)
{
    struct node *head = NULL;
    for (int i = 0; i < n; i++) {          /* blocks live until the function returns */
        struct node *fresh = alloca(sizeof *fresh);
        fresh->v = i;
        fresh->next = head;
        head = fresh;
    }
    int s = 0, weight = 1;
    for (; head; head = head->next)
        s += head->v * weight++;
    return s;
}

static int palindrome(const char *s)
{
    size_t n = strlen(s);
    char *copy = __builtin_alloca(n + 1);
    for (size_t i = 0; i < n; i++)
        copy[i] = s[n - 1 - i];
    copy[n] = 0;
    return strcmp(s, copy) == 0;
}

int main(void)
{
    printf("%d %d\n", reverse_sum(5), reverse_sum(10));
    printf("%d %d\n", palindrome("level"), palindrome("lever"));
    int *p = alloca(4 * sizeof *p);
    memset(p, 0, 4 * sizeof *p);
    p[2]++;
    printf("%d\n", p[0] + p[1] + p[2] + p[3]);
    return 0;
}
