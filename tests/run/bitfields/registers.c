#include <stdint.h>
#include <stdio.h>

/* A device register seen as a word and as its fields. */
typedef union {
    uint32_t word;
    struct {
        uint32_t enable : 1;
        uint32_t mode : 2;
        uint32_t divider : 8;
        uint32_t : 5;
        uint32_t address : 16;
    };
} control;

static uint32_t configure(unsigned mode, unsigned divider, unsigned address)
{
    control c = {.word = 0};
    c.enable = 1;
    c.mode = mode;
    c.divider = divider;
    c.address = address;
    return c.word;
}

int main(void)
{
    printf("%08x\n", configure(2, 200, 0xbeef));
    control c = {.word = 0xdead0305};
    printf("%u %u %u %x\n", c.enable, c.mode, c.divider, c.address);
    unsigned previous = c.divider++;
    printf("%u %u %08x\n", previous, c.divider, c.word);
    c.mode = ~c.mode;
    printf("%u %08x\n", c.mode, c.word);
    c.address -= 0xdeae;
    printf("%x\n", c.address);
    control copy = c;
    copy.enable = !copy.enable;
    printf("%d\n", (copy.word ^ c.word) == 1u);
    return c.enable;
}
