#include <stdio.h>
#include <stdlib.h>

/* A simulation: callbacks with private data, scheduled in time order. */
struct event { int when; void (*fire)(struct event *); struct event *next; union { int count; const char *text; }; };
static struct event *pending;
static int now, fired;

static void schedule(int delay, void (*fire)(struct event *), struct event like)
{
    struct event *e = malloc(sizeof *e), **at = &pending;
    *e = like;
    e->when = now + delay;
    e->fire = fire;
    while (*at && (*at)->when <= e->when)
        at = &(*at)->next;
    e->next = *at;
    *at = e;
}
static void say(struct event *e) { printf("%d: %s\n", now, e->text); }
static void tick(struct event *e)
{
    printf("%d: tick %d\n", now, e->count);
    if (e->count > 1)
        schedule(3, tick, (struct event){.count = e->count - 1});
    if (e->count == 2)
        schedule(1, say, (struct event){.text = "almost done"});
}

int main(void)
{
    schedule(10, say, (struct event){.text = "ten"});
    schedule(2, tick, (struct event){.count = 4});
    schedule(2, say, (struct event){.text = "two"});
    while (pending) {
        struct event *e = pending;
        pending = e->next;
        now = e->when;
        e->fire(e);
        free(e);
        fired++;
    }
    printf("%d events until %d\n", fired, now);
    return fired;
}
