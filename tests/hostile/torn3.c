/* Some run goes wrong: this must never be proved. */
#include <stdlib.h>
#include <string.h>
int main(void){
    int*p=malloc(4),*q=malloc(4);
    union{long l;int*p;}u;
    u.p=p;
    memcpy(&u,&q,4);
    if(u.l%3==0) *(int*)0=1;
    free(p);free(q);
    return 0;}
