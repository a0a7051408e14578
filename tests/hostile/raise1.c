/* Some run goes wrong: this must never be proved. The handler runs within raise. */
#include <signal.h>
#include <stdlib.h>
static int *p;
static void handle(int s){ (void)s; free(p); }
int main(void){
    p = malloc(4);
    signal(SIGINT, handle);
    raise(SIGINT);
    free(p);
    return 0;}
