#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Error paths by goto: each stage undoes what the earlier ones built. */
struct job { char *name; int *data; char *log; };

static int build(struct job *j, int fail_at)
{
    int rc = -1;
    j->name = malloc(8);
    if (fail_at == 1)
        goto no_name;
    strcpy(j->name, "job");
    j->data = calloc(4, sizeof *j->data);
    if (fail_at == 2)
        goto no_data;
    j->data[0] = 5;
    j->log = malloc(32);
    if (fail_at == 3)
        goto no_log;
    snprintf(j->log, 32, "%s/%d", j->name, j->data[0]);
    rc = 0;
    goto done;
no_log:
    printf("drop log\n");
    free(j->log);
no_data:
    printf("drop data\n");
    free(j->data);
no_name:
    printf("drop name\n");
    free(j->name);
done:
    return rc;
}

int main(void)
{
    int failures = 0;
    for (int at = 1; at <= 4; at++) {
        struct job j;
        int rc = build(&j, at);
        printf("%d -> %d\n", at, rc);
        if (rc) {
            failures++;
            continue;
        }
        printf("%s\n", j.log);
        free(j.name);
        free(j.data);
        free(j.log);
    }
    return failures;
}
