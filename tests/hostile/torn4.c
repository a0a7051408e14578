/* Some run goes wrong: this must never be proved. */
#include <stdlib.h>
union u{struct{unsigned a:20;unsigned b:12;}f;int*p;};
    
int main(void){
    union u x;
    x.p=malloc(4);
    if(x.f.a%7==3) *(int*)0=1;
    free(x.p);
    return 0;}
