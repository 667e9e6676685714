#!/usr/bin/env bash
# Builds Warpline and runs all tests without a display: packaging/test.sh [--asan | --ubsan | --tsan | --bench | --windows]
#   --asan   with the address and undefined-behaviour sanitizers
#   --ubsan  with the undefined-behaviour sanitizer alone
#   --tsan   the stress programs with the thread sanitizer (they link no Qt, which is not instrumented)
#   --bench  on the optimised build, and then runs the benchmarks and prints their ratios
#   --windows  builds warpline-cli.exe with mingw-w64 and compares it with this system's program under wine, where that is
# The last line is "N passed, N failed" (", N skipped" when some were): the functions of all Qt Test programs, and one for
# each other test. Ends with 1 when one failed or none ran. Needs no network once the packages are installed.
set -euo pipefail
# shellcheck source=packaging/common.sh disable=SC1091
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/common.sh"

preset=checked
bench=OFF
packages=("${build_packages[@]}")
case "$*" in # at most one option
'') ;;
--asan | --ubsan | --tsan) preset="${1#--}" ;;
--bench)
    preset=release
    bench=ON
    packages+=("${bench_packages[@]}")
    ;;
--windows) exec "$project/packaging/windows/test.sh" ;;
*)
    printf 'Usage: %s [--asan | --ubsan | --tsan | --bench | --windows]\n' "$0"
    [[ "$*" == -h || "$*" == --help ]] && exit 0 || exit 2
    ;;
esac

# Any early end of the script counts as a failure, in the form of the last line.
finished=no
trap '[[ $finished == yes ]] || printf "0 passed, 1 failed\n"' EXIT

install_missing "${packages[@]}"
install_missing "${fleet_packages[@]}" "${test_packages[@]}" || say "Going on without them: their tests are skipped"
cd "$project"
say "Building (preset $preset)"
cmake --preset "$preset" "${plain_options[@]}" -DWARPLINE_TESTS=ON -DWARPLINE_BENCH="$bench" -DWARPLINE_WARNINGS_AS_ERRORS=ON >/dev/null
cmake --build --preset "$preset" --parallel "$(build_jobs)"

export QT_QPA_PLATFORM=offscreen
export LSAN_OPTIONS="suppressions=$project/tests/lsan.supp:print_suppressions=0"
build="build/$preset"

say "Testing"
rm -f "$build/Testing/Temporary/LastTest.log"
status=0
ctest --preset "$preset" --parallel "$(nproc)" --no-tests=error --test-output-size-passed 100000000 || status=$?

# A program without totals is one test, with ctest's result. One that fails although its totals are good (a sanitizer, a crash
# at exit) is one more failure.
summary="$(awk '
    /^[0-9]+\/[0-9]+ Testing: / { totals = 0; failedHere = 0 }
    /^Totals: / {
        totals = 1
        passed += $2
        failed += $4
        skipped += $6
        failedHere += $4
    }
    /^Test Passed\.$/ { if (!totals) passed++ }
    /^Test (Failed|Timeout|Not Run)|^Unable to find executable|^\*\*\*Exception/ { if (!failedHere) failed++ }
    END {
        line = (passed + 0) " passed, " (failed + 0) " failed"
        if (skipped > 0)
            line = line ", " skipped " skipped"
        print line
    }' "$build/Testing/Temporary/LastTest.log")"
if [[ $bench == ON ]]; then
    say "Benchmarks"
    tests/bench/run.sh "$build/bin" || status=$?
    say "Instructions of each piece of work, as callgrind counts them"
    tests/bench/run.sh "$build/bin" --instructions || status=$?
fi
finished=yes
if [[ $status -ne 0 && "$summary" == *" 0 failed"* ]]; then
    summary="${summary/ 0 failed/ 1 failed}" # ctest knows of a failure that the log does not show
fi
printf '%s\n' "$summary"
[[ $status -eq 0 && "$summary" != "0 passed"* ]]
