#include <stdio.h>
#include <string.h>

struct machine { unsigned char cells[64]; int jumps[256]; };

static int link_loops(struct machine *m, const char *code)
{
    int stack[32], sp = 0;
    for (int i = 0; code[i]; i++)
        if (code[i] == '[')
            stack[sp++] = i;
        else if (code[i] == ']') {
            if (sp == 0)
                return -1;
            int open = stack[--sp];
            m->jumps[open] = i;
            m->jumps[i] = open;
        }
    return sp;
}
static long execute(struct machine *m, const char *code)
{
    long steps = 0;
    unsigned char *at = m->cells;
    for (const char *p = code; *p; p++, steps++)
        switch (*p) {
        case '>': ++at; break;
        case '<': --at; break;
        case '+': ++*at; break;
        case '-': --*at; break;
        case '.': putchar(*at); break;
        case '[': if (!*at) p = code + m->jumps[p - code]; break;
        case ']': if (*at) p = code + m->jumps[p - code]; break;
        default: steps--;
        }
    return steps;
}

int main(void)
{
    static const char *const programs[] = {
        "++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.>++.",
        "+++++ add five [>+++++ +++++ <-] > +++ . ---- . > ++++++++++ .",
        "]", "[[+]", "-[>+<-]>[<+>-]<+.",
    };
    for (int i = 0; i < 5; i++) {
        struct machine m;
        memset(&m, 0, sizeof m);
        int open = link_loops(&m, programs[i]);
        if (open)
            printf("unbalanced %d\n", open);
        else
            printf("steps %ld\n", execute(&m, programs[i]));
    }
    return 0;
}
