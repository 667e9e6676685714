#!/usr/bin/env bash
# Checks that programs are hardened: packaging/hardening.sh PROGRAM...
# Position independent, relocations read-only before main, no executable stack, stack protector, fortified calls of level 3, as
# the program itself notes, assertions of the C++ library. Of programs for Windows: random addresses of 64 bits, no executable
# data, stack protector, fortified calls, the assertions.
set -euo pipefail
failed=0
complain() {
    printf '%s: %s\n' "$program" "$1" >&2
    failed=1
}
fortified='__(memcpy|memmove|memset|strcpy|snprintf|vsnprintf|read|realpath|longjmp|fread)_chk'

# checks_indices: by the text of an assertion of std::vector, which a stripped program has, too.
checks_indices() {
    grep -qF --text '__n < this->size()' "$program" || complain "has no assertions of the C++ library"
}

# for_windows: before stripping, because a Windows program does not list symbols from static libraries.
for_windows() {
    local facts symbols flag
    facts="$(objdump --private-headers "$program")"
    symbols="$(nm "$program")"
    for flag in DYNAMIC_BASE HIGH_ENTROPY_VA NX_COMPAT; do
        grep -q "$flag" <<<"$facts" || complain "is not marked $flag"
    done
    grep -qE '^Entry 5 0*[1-9a-f][0-9a-f]* ' <<<"$facts" || complain "cannot be moved (no table of relocations)"
    grep -q '__stack_chk_fail' <<<"$symbols" || complain "has no stack protector"
    grep -qE "$fortified" <<<"$symbols" || complain "has no fortified calls (FORTIFY)"
    checks_indices
}

for program in "$@"; do
    if [[ "$program" == *.exe ]]; then
        for_windows
        continue
    fi
    header="$(readelf --file-header --wide "$program")"
    segments="$(readelf --program-headers --wide "$program")"
    dynamic="$(readelf --dynamic --wide "$program")"
    # A static program has no list of imports: its own symbol table has the same names, unless it is stripped.
    symbols="$(readelf --dyn-syms --syms --wide "$program")"
    grep -q 'Type:.*DYN' <<<"$header" && grep -q 'FLAGS_1.*PIE' <<<"$dynamic" || complain "is at a fixed address (no PIE)"
    grep -q GNU_RELRO <<<"$segments" && grep -qE 'BIND_NOW|FLAGS.*NOW' <<<"$dynamic" || complain "relocations stay writable (no full RELRO)"
    grep -qE 'GNU_STACK.* RW ' <<<"$segments" || complain "has an executable stack"
    if [[ $(wc -l <<<"$symbols") -gt 10 ]]; then
        grep -q '__stack_chk_fail' <<<"$symbols" || complain "has no stack protector"
        grep -qE "$fortified" <<<"$symbols" ||
            complain "has no fortified calls (FORTIFY)"
    fi
    grep -q --text 'FORTIFY=3' "$program" || complain "has no fortified calls of level 3 (FORTIFY)"
    checks_indices
done
exit "$failed"
