/* Some run goes wrong: this must never be proved. A function that is nowhere has no address. */
void absent(void) __attribute__((weak));
void (*callback)(void) = absent;
int main(void){
    if(!callback) *(volatile int *)0 = 1;
    return 0;}
