//~ SAFE
/* Streams are checked before they are used, used while they are open, and closed once; one is given up without being
   closed, which is no leak. */
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct log {
    FILE *out;
    int lines;
};

static int copy(FILE *from, FILE *to)
{
    int c;
    while ((c = fgetc(from)) != EOF)
        fputc(c, to);
    return ferror(from);
}

static void say(struct log *log, int what)
{
    if (log->out) {
        fprintf(log->out, "%d\n", what);
        log->lines++;
        fflush(log->out);
    }
}

int main(void)
{
    struct log *log = malloc(sizeof *log);
    if (!log)
        return 1;
    log->out = __VERIFIER_nondet_int() ? tmpfile() : stderr;
    log->lines = 0;
    FILE *from = tmpfile();
    if (from) {
        FILE *to = tmpfile();
        if (to) {
            say(log, copy(from, to));
            rewind(to);
            fclose(to);
        }
        if (__VERIFIER_nondet_int())
            fclose(from);
    }
    say(log, 0);
    fflush(NULL);
    if (log->out && log->out != stderr)
        fclose(log->out);
    free(log);
    return 0;
}
