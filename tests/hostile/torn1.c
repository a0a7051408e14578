/* Some run goes wrong: this must never be proved. */
#include <stdlib.h>
#include <string.h>
int main(void){
    int*p=malloc(4),*q=malloc(4);
    int*r=p;
    memcpy(&r,&q,4);
    *r=1;
    free(p);free(q);
    return 0;}
