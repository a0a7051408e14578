/* Something else writes to the register. */
// not seen by sanitizers: nothing writes to it there
#include <stddef.h>

struct device {
    volatile unsigned status;
    volatile unsigned data[4];
};

struct device device;

static unsigned wait(volatile unsigned *status)
{
    return *status & 1;
}

int main(void)
{
    int *p = NULL;
    if (wait(&device.status) && device.data[2] == 7)
        return *p; //~ ERROR null-deref
    return 0;
}
