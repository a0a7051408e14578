#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum kind { END, OPEN, CLOSE, LIST, LIST_END, COLON, COMMA, STRING, NUMBER, WORD, BAD };
static const char *const names[] = {"end", "{", "}", "[", "]", ":", ",", "string", "number", "word", "bad"};
struct token { enum kind kind; const char *from; int length; };

static struct token next(const char **at)
{
    while (isspace((unsigned char)**at))
        ++*at;
    struct token t = {END, *at, 1};
    static const char single[] = "{}[]:,";
    const char *hit = **at ? strchr(single, **at) : NULL;
    if (!**at)
        return t;
    if (hit)
        t.kind = (enum kind)(OPEN + (hit - single));
    else if (**at == '"') {
        const char *p = *at + 1;
        while (*p && *p != '"')
            p += 1 + (*p == '\\' && p[1]);
        t.kind = *p ? STRING : BAD;
        t.length = (int)(p - *at) + (*p != 0);
    } else if (isdigit((unsigned char)**at) || **at == '-') {
        t.kind = NUMBER;
        t.length = (int)strspn(*at, "0123456789+-.eE");
    } else if (isalpha((unsigned char)**at)) {
        t.kind = WORD;
        while (isalpha((unsigned char)(*at)[t.length]))
            t.length++;
    } else
        t.kind = BAD;
    *at += t.length;
    return t;
}
static int depth_check(const char *s)
{
    char stack[16];
    int depth = 0, deepest = 0;
    for (;;) {
        struct token t = next(&s);
        switch (t.kind) {
        case END: return depth ? -1 : deepest;
        case BAD: return -2;
        case OPEN: case LIST:
            stack[depth++] = (char)t.kind;
            if (depth > deepest) deepest = depth;
            break;
        case CLOSE: case LIST_END:
            if (depth == 0 || stack[--depth] != (char)t.kind - 1) return -3;
        default: ;
        }
    }
}

int main(void)
{
    const char *text = " {\"key\" : [1, -2.5e3, true],\n \"q\\\"uote\": null, \"x\":{}} ";
    const char *p = text;
    for (struct token t; (t = next(&p)).kind != END;)
        printf("%-7s %.*s\n", names[t.kind], t.length, t.from);
    printf("%d %d %d %d %d\n", depth_check(text), depth_check("[[1,[2]]]"), depth_check("[{]"), depth_check("["), depth_check("#"));
    printf("%d\n", depth_check("\"open"));
    return 0;
}
