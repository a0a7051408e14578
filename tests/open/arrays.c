// Functions on arrays whose length is an argument.
typedef unsigned long size_t;
void *memset(void *, int, size_t);
void *memcpy(void *, const void *, size_t);

int sum(const int *a, int n) { //~ CONTRACT a -> [4 * n ..] { .. }
    int s = 0;
    for (int i = 0; i < n; i++)
        s ^= a[i];
    return s;
}

void zero(int *a, int n) { //~ CONTRACT a -> [4 * n ..] { }
    for (int i = 0; i < n; i++)
        a[i] = 0;
}

void clear(char *to, size_t n) { //~ CONTRACT to -> [n ..] { } => to -> [n ..] { .. } && n >= 0
    memset(to, 0, n);
}

void copy(char *to, const char *from, size_t n) { //~ CONTRACT
    memcpy(to, from, n);
}

long largest(const long *a, unsigned n) { //~ CONTRACT
    long most = 0;
    for (unsigned i = 0; i < n; i++)
        if (a[i] > most)
            most = a[i];
    return most;
}

void reverse(short *a, int n) { //~ NONE may be outside of the object
    for (int i = 0; i < n / 2; i++) {
        short t = a[i];
        a[i] = a[n - 1 - i];
        a[n - 1 - i] = t;
    }
}

int find(const char *s, size_t n, char c) { //~ CONTRACT
    for (size_t i = 0; i < n; i++)
        if (s[i] == c)
            return 1;
    return 0;
}

void add(double *to, const double *a, const double *b, int n) { //~ CONTRACT
    for (int i = 0; i < n; i++)
        to[i] = a[i] + b[i];
}

int past(const int *a, int n) { //~ NONE
    return a[n];
}
