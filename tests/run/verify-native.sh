#!/bin/sh
# Re-checks the programs of this directory with the platform's compiler:
#   - AddressSanitizer, LeakSanitizer and UndefinedBehaviorSanitizer stay silent (64-bit);
#   - -O0 and -O2 give the same output and exit status, in both data models.
# Usage: verify-native.sh [file.c ...]   (all programs when no file is given)
#
# Directives in the first lines of a program:
#   // args: a b c     the arguments it is run with
#   // std: gnu2x      the language standard it needs (-std=)
#   // model: lp64     it must not be run with -m32
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- $(find "$here" -name '*.c' | sort)
bad=0
count=0

directive() { sed -n "1,5s|^// $1: ||p" "$2" | head -n 1; }
complain() { echo "$1: $2"; bad=$((bad + 1)); }

# run <binary> <output file> <arguments...>: leaves "output + exit status" in the file
run() {
    binary=$1 output=$2
    shift 2
    timeout 20 "$binary" "$@" </dev/null >"$output" 2>"$output.err"
    echo "[exit $?]" >>"$output"
}

for file; do
    count=$((count + 1))
    std=$(directive std "$file")
    args=$(directive args "$file")
    models="-m64 -m32"
    [ "$(directive model "$file")" = lp64 ] && models="-m64"
    flags="-w ${std:+-std=$std}"
    if gcc $flags -O0 -g -fsanitize=address,undefined "$file" -o "$work/san" -lm 2>"$work/log"; then
        run "$work/san" "$work/san.out" $args
        if grep -q 'runtime error\|Sanitizer' "$work/san.out.err"; then
            complain "$file" "sanitizer report"
            head -n 5 "$work/san.out.err"
        fi
    else
        complain "$file" "does not compile"
        head -n 5 "$work/log"
        continue
    fi
    for model in $models; do
        if gcc $flags $model -O0 "$file" -o "$work/o0" -lm 2>"$work/log" &&
            gcc $flags $model -O2 "$file" -o "$work/o2" -lm 2>>"$work/log"; then
            run "$work/o0" "$work/o0.out" $args
            run "$work/o2" "$work/o2.out" $args
            cmp -s "$work/o0.out" "$work/o2.out" || complain "$file" "-O0 and -O2 differ ($model)"
            grep -q 'exit 1[2-9][0-9]' "$work/o0.out" && complain "$file" "killed or timed out ($model)"
        else
            complain "$file" "does not compile with $model"
            head -n 5 "$work/log"
        fi
        [ "$model" = -m64 ] && ! cmp -s "$work/san.out" "$work/o0.out" &&
            complain "$file" "the sanitized build differs"
    done
    [ -n "$SHOW" ] && { echo "== $file"; cat "$work/o0.out"; }
done
echo "$count programs, $bad complaints"
[ "$bad" -eq 0 ]
