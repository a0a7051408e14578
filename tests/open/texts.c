// Functions on texts: what a pointer to characters leads to is a text where a run asks for more than one of them.
typedef unsigned long size_t;
size_t strlen(const char *);
int strcmp(const char *, const char *);
char *strcpy(char *, const char *);
char *strdup(const char *);
char *strchr(const char *, int);
void *malloc(size_t);
void free(void *);

struct named {
    char *name;
    struct named *next;
};

int length(const char *s) { //~ CONTRACT
    int n = 0;
    while (*s) {
        s++;
        n++;
    }
    return n;
}

size_t by_library(const char *s) { //~ CONTRACT
    return strlen(s);
}

int compare(const unsigned char *a, const unsigned char *b) { //~ CONTRACT
    if (!a || !b)
        return 1;
    for (; *a == *b; a++, b++)
        if (*a == 0)
            return 0;
    return *a - *b;
}

void upper(char *s) { //~ CONTRACT
    for (; *s; s++)
        if (*s >= 'a' && *s <= 'z')
            *s -= 32;
}

char *skip(char *s) { //~ CONTRACT
    while (*s == ' ')
        s++;
    return s;
}

int has(const char *s, char c) { //~ CONTRACT
    return strchr(s, c) != 0;
}

char *copied(const char *s) { //~ CONTRACT
    char *p = malloc(strlen(s) + 1), *q = p;
    while ((*q++ = *s++))
        ;
    return p;
}

char *copied_by_library(const char *s) { //~ CONTRACT
    char *p = malloc(strlen(s) + 1);
    strcpy(p, s);
    return p;
}

//~ CONTRACT out -> [1 ..] { } => out -> [1 ..] { @0:1: 120 }
void first(char *out) {
    *out = 'x';
}

struct named *add(struct named *l, const char *name) { //~ CONTRACT
    struct named *n = malloc(sizeof *n);
    n->name = strdup(name);
    n->next = l;
    return n;
}

int count(struct named *l, const char *what) { //~ CONTRACT
    int n = 0;
    for (; l; l = l->next)
        if (strcmp(l->name, what) == 0)
            n++;
    return n;
}

struct named *find(struct named *l, const char *what) { //~ CONTRACT
    for (; l; l = l->next)
        if (strcmp(l->name, what) == 0)
            return l;
    return 0;
}

void destroy(struct named *l) { //~ CONTRACT
    while (l) {
        struct named *n = l->next;
        free(l->name);
        free(l);
        l = n;
    }
}
