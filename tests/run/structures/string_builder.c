#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { char *data; size_t length, room; } builder;

static void reserve(builder *b, size_t extra)
{
    if (b->length + extra + 1 <= b->room)
        return;
    while (b->room < b->length + extra + 1)
        b->room = b->room ? b->room + b->room / 2 : 8;
    b->data = realloc(b->data, b->room);
}
static builder *append(builder *b, const char *s)
{
    size_t n = strlen(s);
    reserve(b, n);
    memcpy(b->data + b->length, s, n + 1);
    b->length += n;
    return b;
}
static builder *format(builder *b, const char *f, ...)
{
    va_list ap, again;
    va_start(ap, f);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, f, ap);
    reserve(b, n);
    vsnprintf(b->data + b->length, n + 1, f, again);
    b->length += n;
    va_end(again);
    va_end(ap);
    return b;
}
static void insert(builder *b, size_t at, const char *s)
{
    size_t n = strlen(s);
    reserve(b, n);
    memmove(b->data + at + n, b->data + at, b->length - at + 1);
    memcpy(b->data + at, s, n);
    b->length += n;
}
static void replace(builder *b, const char *from, const char *to)
{
    builder out = {0};
    append(&out, "");
    for (char *p = b->data, *hit; ; p = hit + strlen(from)) {
        hit = strstr(p, from);
        if (!hit) {
            append(&out, p);
            break;
        }
        char saved = *hit;
        *hit = 0;
        append(append(&out, p), to);
        *hit = saved;
    }
    free(b->data);
    *b = out;
}

int main(void)
{
    builder b = {0};
    append(append(append(&b, "one"), ", "), "two");
    for (int i = 3; i < 7; i++)
        format(&b, ", %d^2=%d", i, i * i);
    puts(b.data);
    insert(&b, 0, "numbers: ");
    insert(&b, b.length, ".");
    puts(b.data);
    replace(&b, ", ", "; ");
    replace(&b, "missing", "x");
    printf("%s %zu\n", b.data, b.length);
    free(b.data);
    return 0;
}
