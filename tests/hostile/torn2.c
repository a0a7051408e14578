/* Some run goes wrong: this must never be proved. */
#include <stdlib.h>
#include <string.h>
int *g;
int main(void){
    g=malloc(4);
    *((char*)&g+3)=0;
    return 0;}
