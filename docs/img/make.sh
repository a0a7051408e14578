#!/usr/bin/env bash
# Makes the screenshots of the README. Needs Chromium and an optimised build; run it from the root of the repository.
set -euo pipefail
heapwise=${HEAPWISE:-target/release/heapwise}
pages=$(mktemp -d)
shot() { # name, part of the page, arguments of explore
    local name=$1 part=$2
    shift 2
    "$heapwise" explore -q "$@" -o "$pages/$name.html" || [ $? -le 1 ]
    chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
        --user-data-dir="$pages/profile" --hide-scrollbars --window-size=1280,640 \
        --screenshot="docs/img/$name.png" "file://$pages/$name.html#$part" 2>/dev/null
}
clumping=benchmarks/clumping
shot red-black-insert L72 --function brbtree_insert --shapes $clumping/brbtree.shape $clumping/brbtree-insert.c
shot use-after-free-path step=44 examples/bug_doubly_linked.c
shot nested-list-invariant L52 examples/nested.c
rm -r "$pages"
