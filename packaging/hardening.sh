#!/usr/bin/env bash
# Checks that programs are hardened: packaging/hardening.sh PROGRAM...
# Position independent, relocations read-only before main, no executable stack, stack protector, fortified calls.
set -euo pipefail
failed=0
complain() {
    printf '%s: %s\n' "$program" "$1" >&2
    failed=1
}
for program in "$@"; do
    header="$(readelf --file-header --wide "$program")"
    segments="$(readelf --program-headers --wide "$program")"
    dynamic="$(readelf --dynamic --wide "$program")"
    # A static program has no list of imports: its own table of symbols has the same names, unless it is stripped.
    symbols="$(readelf --dyn-syms --syms --wide "$program")"
    grep -q 'Type:.*DYN' <<<"$header" && grep -q 'FLAGS_1.*PIE' <<<"$dynamic" || complain "is at a fixed address (no PIE)"
    grep -q GNU_RELRO <<<"$segments" && grep -qE 'BIND_NOW|FLAGS.*NOW' <<<"$dynamic" || complain "relocations stay writable (no full RELRO)"
    grep -qE 'GNU_STACK.* RW ' <<<"$segments" || complain "has an executable stack"
    if [[ $(wc -l <<<"$symbols") -gt 10 ]]; then
        grep -q '__stack_chk_fail' <<<"$symbols" || complain "has no stack protector"
        grep -qE '__(memcpy|memmove|memset|snprintf|vsnprintf|read|realpath|longjmp|fread)_chk' <<<"$symbols" ||
            complain "has no fortified calls (FORTIFY)"
    fi
done
exit "$failed"
