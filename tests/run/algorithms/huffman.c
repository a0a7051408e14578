#include <stdio.h>
#include <string.h>

struct node { int weight, left, right; unsigned char symbol; };
static struct node nodes[128];
static int count;
static char codes[256][16];

static void assign(int n, char *prefix, int depth)
{
    if (nodes[n].left < 0) {
        prefix[depth] = 0;
        strcpy(codes[nodes[n].symbol], depth ? prefix : "0");
        return;
    }
    prefix[depth] = '0';
    assign(nodes[n].left, prefix, depth + 1);
    prefix[depth] = '1';
    assign(nodes[n].right, prefix, depth + 1);
}

int main(void)
{
    const char *text = "abracadabra alakazam";
    int frequency[256] = {0}, active[64], n = 0;
    for (const char *p = text; *p; p++)
        frequency[(unsigned char)*p]++;
    for (int c = 0; c < 256; c++)
        if (frequency[c]) {
            nodes[count] = (struct node){frequency[c], -1, -1, (unsigned char)c};
            active[n++] = count++;
        }
    while (n > 1) {
        int pick[2];
        for (int k = 0; k < 2; k++) {
            int best = 0;
            for (int i = 1; i < n; i++)
                if (nodes[active[i]].weight < nodes[active[best]].weight)
                    best = i;
            pick[k] = active[best];
            active[best] = active[--n];
        }
        nodes[count] = (struct node){nodes[pick[0]].weight + nodes[pick[1]].weight, pick[0], pick[1], 0};
        active[n++] = count++;
    }
    char prefix[16], bits[256] = "";
    assign(active[0], prefix, 0);
    for (const char *p = text; *p; p++)
        strcat(bits, codes[(unsigned char)*p]);
    printf("%s\n%zu bits for %zu\n", bits, strlen(bits), strlen(text) * 8);
    int at = active[0];
    for (const char *b = bits; *b; b++) {
        at = *b == '1' ? nodes[at].right : nodes[at].left;
        if (nodes[at].left < 0) {
            putchar(nodes[at].symbol);
            at = active[0];
        }
    }
    putchar('\n');
    return 0;
}
