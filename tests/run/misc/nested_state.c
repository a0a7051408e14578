#include <stdio.h>
#include <string.h>

/* A configuration reader: nested structs, arrays of structs, enums and tables. */
enum type { INTEGER, TEXT, SWITCH };
struct option { const char *name; enum type type; union { int i; char text[16]; _Bool on; } value; };
struct section { const char *name; struct option options[3]; int count; };

static struct section sections[] = {
    {"net", {{"port", INTEGER, {.i = 80}}, {"host", TEXT, {.text = "localhost"}}}, 2},
    {"log", {{"level", INTEGER}, {"verbose", SWITCH, {.on = 1}}, {"file", TEXT}}, 3},
};

static struct option *find(const char *path)
{
    const char *dot = strchr(path, '.');
    if (!dot)
        return NULL;
    for (struct section *s = sections; s != sections + sizeof sections / sizeof *sections; s++) {
        if (strlen(s->name) != (size_t)(dot - path) || memcmp(s->name, path, dot - path))
            continue;
        for (int i = 0; i < s->count; i++)
            if (strcmp(s->options[i].name, dot + 1) == 0)
                return &s->options[i];
    }
    return NULL;
}
static int assign(const char *line)
{
    char key[24];
    const char *eq = strchr(line, '=');
    if (!eq || eq - line >= (int)sizeof key)
        return -1;
    memcpy(key, line, eq - line);
    key[eq - line] = 0;
    struct option *o = find(key);
    if (!o)
        return -2;
    switch (o->type) {
    case INTEGER: return sscanf(eq + 1, "%d", &o->value.i) == 1 ? 0 : -3;
    case TEXT: snprintf(o->value.text, sizeof o->value.text, "%s", eq + 1); return 0;
    case SWITCH: o->value.on = !strcmp(eq + 1, "yes"); return 0;
    }
    return -4;
}

int main(void)
{
    const char *lines[] = {"net.port=8080", "log.verbose=no", "net.host=a.very.long.host.name", "log.level=x", "none.x=1", "broken"};
    for (int i = 0; i < 6; i++)
        printf("%d ", assign(lines[i]));
    putchar('\n');
    printf("%d %s %d\n", find("net.port")->value.i, find("net.host")->value.text, find("log.verbose")->value.on);
    return 0;
}
