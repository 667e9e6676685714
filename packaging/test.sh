#!/usr/bin/env bash
# Installs what is missing, builds everything, and runs all tests without a display. The last line is "N passed, N failed".
#   --asan    with the address and undefined-behaviour sanitizers
#   --bench   also runs the benchmarks and prints their ratios
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
preset=release
bench=no
for option in "$@"; do
    case $option in
    --asan) preset=asan ;;
    --bench) bench=yes ;;
    *)
        echo "usage: packaging/test.sh [--asan] [--bench]" >&2
        exit 2
        ;;
    esac
done

# shellcheck source=packaging/packages.sh
. "$root/packaging/packages.sh"
"$root/packaging/install_packages.sh" "${build_packages[@]}" "${test_packages[@]}"

cd "$root"
cmake --preset "$preset" -DWARPLINE_TESTS=ON -DWARPLINE_BENCH=ON >/dev/null
cmake --build --preset "$preset"

export QT_QPA_PLATFORM=offscreen
export ASAN_OPTIONS=detect_leaks=0 # Qt and fontconfig keep memory for the life of the program
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed_programs=0
ctest --preset "$preset" --verbose >"$log" 2>&1 || failed_programs=1
grep -E '^[0-9]+: (FAIL|XPASS|SKIP)|^[0-9]+:    Loc|\*\*\*|tests passed' "$log" || true
[ "$failed_programs" -eq 0 ] || tail -n 60 "$log"

if [ "$bench" = yes ]; then
    tests/bench/run.sh "build/$preset/bin"
fi

# Sum up what each Qt Test program counted; plain ctest programs count as one test each.
sum() { grep -oE "Totals: .*" "$log" | grep -oE "[0-9]+ $1" | awk '{ n += $1 } END { print n + 0 }'; }
passed=$(sum passed)
failed=$(sum failed)
skipped=$(sum skipped)
# A program that crashed printed no totals.
broken=$(grep -cE '\*\*\*(Failed|Exception|Timeout|Not Run)' "$log" || true)
[ "$failed" -eq 0 ] && [ "$broken" -gt 0 ] && failed=$broken
if [ "$skipped" -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ] && [ "$failed_programs" -eq 0 ] && [ "$passed" -gt 0 ]
