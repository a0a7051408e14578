#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A register machine with byte-coded instructions and a call stack. */
enum op { LOADI, MOVE, ADDR, SUBR, MULR, JLT, JMP, CALL, RET, PRINT, STOP };
struct frame { int32_t registers[8]; const uint8_t *back; };
struct vm { struct frame frames[16]; int depth; long executed; };

static int16_t wide(const uint8_t *p) { return (int16_t)(p[0] | p[1] << 8); }

static int run(struct vm *vm, const uint8_t *code)
{
    const uint8_t *pc = code;
    struct frame *f = vm->frames;
    memset(vm, 0, sizeof *vm);
    for (;; vm->executed++) {
        const uint8_t *i = pc;
        int32_t *r = f->registers;
        switch ((enum op)*i) {
        case LOADI: r[i[1]] = wide(i + 2); pc += 4; break;
        case MOVE: r[i[1]] = r[i[2]]; pc += 3; break;
        case ADDR: r[i[1]] += r[i[2]]; pc += 3; break;
        case SUBR: r[i[1]] -= r[i[2]]; pc += 3; break;
        case MULR: r[i[1]] *= r[i[2]]; pc += 3; break;
        case JLT: pc = r[i[1]] < r[i[2]] ? code + wide(i + 3) : pc + 5; break;
        case JMP: pc = code + wide(i + 1); break;
        case CALL:
            if (++vm->depth == 16)
                return -1;
            f[1].registers[0] = r[i[1]];
            f++;
            f->back = pc + 4;
            pc = code + wide(i + 2);
            break;
        case RET: f[-1].registers[7] = r[i[1]]; pc = f->back; f--; vm->depth--; break;
        case PRINT: printf("%d\n", r[i[1]]); pc += 2; break;
        case STOP: return 0;
        default: return -2;
        }
    }
}

int main(void)
{
    static const uint8_t factorial[] = {
        LOADI, 1, 10, 0, CALL, 1, 11, 0, PRINT, 7, STOP,
        /* 11 */ LOADI, 1, 2, 0, JLT, 0, 1, 37, 0, LOADI, 2, 1, 0, MOVE, 3, 0, SUBR, 3, 2, CALL, 3, 11, 0, MULR, 0, 7,
        /* 37 */ RET, 0};
    static const uint8_t forever[] = {CALL, 0, 0, 0};
    static const uint8_t broken[] = {LOADI, 0, 0xff, 0xff, PRINT, 0, 99};
    struct vm vm;
    int rc = run(&vm, factorial);
    printf("%d %ld\n", rc, vm.executed);
    printf("%d\n", run(&vm, forever));
    printf("%d\n", run(&vm, broken));
    return 0;
}
