#include <stdio.h>
#include <string.h>

#define N 24
static unsigned seed;
static int next(void) { seed = seed * 69069u + 1u; return (int)(seed >> 20 & 0xff); }

static void bubble(int *v, int n)
{
    for (int swapped = 1; swapped--; n--)
        for (int i = 1; i < n; i++)
            if (v[i - 1] > v[i]) {
                int t = v[i];
                v[i] = v[i - 1];
                v[i - 1] = t;
                swapped = 1;
            }
}
static void insertion(int *v, int n)
{
    for (int i = 1; i < n; i++) {
        int x = v[i], j = i;
        while (j > 0 && v[j - 1] > x)
            v[j] = v[j - 1], j--;
        v[j] = x;
    }
}
static void quick(int *v, int n)
{
    if (n < 2)
        return;
    int pivot = v[n / 2], i = 0, j = n - 1;
    while (i <= j) {
        while (v[i] < pivot) i++;
        while (v[j] > pivot) j--;
        if (i <= j) {
            int t = v[i];
            v[i++] = v[j];
            v[j--] = t;
        }
    }
    quick(v, j + 1);
    quick(v + i, n - i);
}
static void merge(int *v, int n)
{
    if (n < 2)
        return;
    int half = n / 2, out[n], i = 0, j = half, k = 0;
    merge(v, half);
    merge(v + half, n - half);
    while (i < half || j < n)
        out[k++] = j >= n || (i < half && v[i] <= v[j]) ? v[i++] : v[j++];
    memcpy(v, out, sizeof out);
}
static void sift(int *v, int i, int n)
{
    for (int c; (c = 2 * i + 1) < n; i = c) {
        c += c + 1 < n && v[c + 1] > v[c];
        if (v[i] >= v[c])
            return;
        int t = v[i]; v[i] = v[c]; v[c] = t;
    }
}
static void heap(int *v, int n)
{
    for (int i = n / 2; i-- > 0;)
        sift(v, i, n);
    while (n-- > 1) {
        int t = v[0]; v[0] = v[n]; v[n] = t;
        sift(v, 0, n);
    }
}
static void radix(int *v, int n)
{
    for (int shift = 0; shift < 8; shift += 4) {
        int count[17] = {0}, out[N];
        for (int i = 0; i < n; i++)
            count[(v[i] >> shift & 15) + 1]++;
        for (int b = 0; b < 16; b++)
            count[b + 1] += count[b];
        for (int i = 0; i < n; i++)
            out[count[v[i] >> shift & 15]++] = v[i];
        memcpy(v, out, n * sizeof *v);
    }
}
static void shell(int *v, int n)
{
    for (int gap = n / 2; gap; gap /= 2)
        for (int i = gap; i < n; i++)
            for (int j = i - gap; j >= 0 && v[j] > v[j + gap]; j -= gap) {
                v[j] ^= v[j + gap];
                v[j + gap] ^= v[j];
                v[j] ^= v[j + gap];
            }
}

int main(void)
{
    static const struct { const char *name; void (*sort)(int *, int); } all[] = {
        {"bubble", bubble}, {"insertion", insertion}, {"quick", quick}, {"merge", merge},
        {"heap", heap}, {"radix", radix}, {"shell", shell}};
    for (unsigned k = 0; k < sizeof all / sizeof *all; k++) {
        int v[N], unordered = 0;
        unsigned sum = 0;
        seed = 42;
        for (int i = 0; i < N; i++)
            v[i] = next();
        all[k].sort(v, N);
        for (int i = 0; i < N; i++) {
            unordered += i && v[i - 1] > v[i];
            sum = sum * 31 + v[i];
        }
        printf("%-10s %d %u\n", all[k].name, unordered, sum);
    }
    return 0;
}
