#!/bin/sh
# Re-checks the annotations of this directory with the platform's tools.
#   safe/*.c   `//~ SAFE` in the first line; 20 seeds without any report of
#              AddressSanitizer, LeakSanitizer, UndefinedBehaviorSanitizer or assert.
#   error/*.c  one line with `//~ ERROR kind`; some seed among 200 gives a report of this kind
#              on this line (leaks: of this kind), and no seed gives another one first.
#              Uninitialised reads are looked for with valgrind.
#              `// not seen by sanitizers: reason` excuses a program from being caught.
# Usage: verify-native.sh [file.c ...]
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- "$here"/safe/*.c "$here"/error/*.c
export ASAN_OPTIONS=detect_stack_use_after_return=1:detect_leaks=1
bad=0
safe=0
errors=0
excused=0

complain() { echo "$1: $2"; bad=$((bad + 1)); }

# classify <report>: the kind of the first problem in a tool's report, nothing if there is none
classify() {
    grep -o -m 1 -e 'null pointer' -e 'heap-use-after-free' -e 'attempting double-free' \
        -e 'attempting free on address' -e 'stack-use-after-[a-z]*' -e '[a-z-]*-buffer-[a-z]*flow' \
        -e 'out of bounds' -e 'detected memory leaks' -e 'Assertion .* failed' -e 'division by zero' \
        -e 'integer overflow' -e 'shift exponent' -e 'cannot be represented' -e 'SEGV' \
        -e 'insufficient space' -e 'ninitialised' -e 'pointer index expression' "$1" | head -n 1 | sed \
        -e 's/null pointer/null-deref/' -e 's/heap-use-after-free/use-after-free/' \
        -e 's/attempting double-free/double-free/' -e 's/attempting free on address/invalid-free/' \
        -e 's/stack-use-after-.*/use-after-scope/' -e 's/.*-buffer-.*/out-of-bounds/' \
        -e 's/out of bounds/out-of-bounds/' -e 's/insufficient space/out-of-bounds/' \
        -e 's/pointer index expression/out-of-bounds/' -e 's/detected memory leaks/leak/' \
        -e 's/Assertion .* failed/assertion/' -e 's/division by zero/division-by-zero/' \
        -e 's/integer overflow/overflow/' -e 's/shift exponent/overflow/' \
        -e 's/cannot be represented/overflow/' -e 's/ninitialised/uninitialised/' | grep . ||
        grep -o -m 1 -e 'runtime error' -e 'Sanitizer' "$1"
}

for file; do
    name=$(basename "$file")
    if ! gcc -w -O0 -g -fsanitize=address,undefined "$file" "$here/nondet.c" -o "$work/san" 2>"$work/log"; then
        complain "$file" "does not compile"
        head -n 5 "$work/log"
        continue
    fi
    if head -n 1 "$file" | grep -q '^//~ SAFE'; then
        safe=$((safe + 1))
        grep -q '//~ ERROR' "$file" && complain "$file" "both safe and in error"
        for seed in $(seq 1 "${SEEDS:-20}"); do
            HEAPWISE_SEED=$seed timeout 10 "$work/san" </dev/null >/dev/null 2>"$work/report"
            status=$?
            kind=$(classify "$work/report")
            if [ -n "$kind" ] || [ $status -ge 124 ]; then
                complain "$file" "seed $seed: ${kind:-status $status}"
                head -n 4 "$work/report"
                break
            fi
        done
        continue
    fi
    errors=$((errors + 1))
    if [ "$(grep -c '//~ ERROR [a-z-]*$' "$file")" != 1 ]; then
        complain "$file" "needs exactly one annotation"
        continue
    fi
    line=$(grep -n '//~ ERROR' "$file" | cut -d: -f1)
    wanted=$(sed -n 's|.*//~ ERROR ||p' "$file")
    run="$work/san"
    if [ "$wanted" = uninitialised ]; then
        gcc -w -O0 -g "$file" "$here/nondet.c" -o "$work/plain"
        run="valgrind -q $work/plain"
    fi
    found=
    for seed in $(seq 1 200); do
        HEAPWISE_SEED=$seed timeout 20 $run </dev/null >/dev/null 2>"$work/report"
        kind=$(classify "$work/report")
        if [ "$kind" = SEGV ]; then # a crash has no kind of its own
            case $wanted in null-deref | out-of-bounds | invalid-free) kind=$wanted ;; esac
        fi
        [ -z "$kind" ] && continue
        at=$(grep -o "$name:[0-9]*" "$work/report" | head -n 1 | cut -d: -f2)
        [ "$wanted" = leak ] && at=$line
        if [ "$kind" != "$wanted" ] || [ "$at" != "$line" ]; then
            complain "$file" "seed $seed: $kind in line $at instead of $wanted in line $line"
            found=wrong
            break
        fi
        found=yes
        [ "$wanted" = uninitialised ] && break
        [ "$seed" -ge 12 ] && break
    done
    if [ -z "$found" ]; then
        if grep -q '// \(not seen by sanitizers\|seen by sanitizers by chance\): ' "$file"; then
            excused=$((excused + 1))
        else
            complain "$file" "no seed shows the error"
        fi
    elif grep -q '// not seen by sanitizers: ' "$file"; then
        complain "$file" "is seen after all"
    fi
done
echo "$safe safe, $errors in error ($excused not visible to the tools), $bad complaints"
[ "$bad" -eq 0 ]
