#!/usr/bin/env bash
# Builds warpline-cli.exe and tests of core with Debian's mingw-w64 and runs them under wine: packaging/windows/test.sh [REPORT...]
# The tests are those that meet the system (files, paths, memory, threads) and one or two of each kind of work on reports.
# JSON and CSV are compared with what the program of this system prints (build/checked, release or dev) for the reports of the
# tests and the REPORTs. Called by packaging/test.sh --windows. The last line is "N passed, N failed".
set -euo pipefail
# shellcheck source=packaging/common.sh disable=SC1091
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
# shellcheck source=packaging/windows/libraries.sh disable=SC1091
source "$(dirname "${BASH_SOURCE[0]}")/libraries.sh"

finished=no
trap '[[ $finished == yes ]] || printf "0 passed, 1 failed\n"' EXIT

tests=(tst_platform tst_pending_file tst_large_blocks tst_job_runner tst_report_files tst_read_real tst_load_report tst_trace_cache
    tst_page_rows tst_row_order tst_hostile_numbers tst_sql_session tst_cut_report tst_event_export tst_kineto_traces tst_rocprof
    tst_stats_tables tst_rules tst_steps tst_compare_parts tst_replay)
install_missing "${windows_packages[@]}" wine wine64
reports=()
for report in "$@"; do
    reports+=("$(realpath "$report")")
done
cd "$project"
build="$project/build/windows"
configure_windows -DWARPLINE_TESTS=ON
say "Building warpline-cli.exe and ${#tests[@]} tests"
cmake --build "$build" --parallel "$(build_jobs)" --target warpline-cli "${tests[@]}"

export WINEDEBUG=-all WINEPREFIX="$build/wine" WINEDLLOVERRIDES="mscoree,mshtml=;winemenubuilder.exe=d" LC_ALL=C.UTF-8
wine wineboot --init >/dev/null 2>&1 || true
passed=1 # it builds
failed=0

say "Tests under wine"
for name in "${tests[@]}"; do
    wine "$build/bin/$name.exe" >"$build/$name.log" 2>&1 || true
    if totals="$(tr -d '\r' <"$build/$name.log" | grep '^Totals:')"; then
        say "$name: ${totals#Totals: }"
        passed=$((passed + $(awk '{ print $2 }' <<<"$totals")))
        failed=$((failed + $(awk '{ print $4 }' <<<"$totals")))
    else
        say "$name: did not end as it should"
        failed=$((failed + 1))
    fi
    grep -A2 '^FAIL' "$build/$name.log" || true
done

native=""
for candidate in checked release dev; do
    [[ -n "$native" || ! -x "build/$candidate/bin/warpline-cli" ]] || native="build/$candidate/bin/warpline-cli"
done
[[ -n "$native" ]] || { say "No warpline-cli of this system to compare with: run packaging/test.sh first"; failed=$((failed + 1)); reports=(); }

# answer PROGRAM... : what it prints, without what may differ: line ends, the commit, and SQLite's version.
answer() {
    "$@" 2>&1 | tr -d '\r' | sed 's/"warpline": "[^"]*"//; s/[A-Z]:\\[^ "]*\\//g'
}
check() {
    if diff <(answer "$native" "$@") <(answer wine "$build/bin/warpline-cli.exe" "$@") >"$build/difference.txt"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        say "Different: warpline-cli $*"
        head -n 10 "$build/difference.txt"
    fi
}
[[ -z "$native" ]] || {
    say "Comparing with $native"
    for report in resources/sample.sqlite tests/data/reports/*.sqlite; do
        check info --no-cache --format json "$report"
        check stats --no-cache --format csv "$report"
    done
    for report in resources/sample.sqlite tests/data/reports/*.sqlite "${reports[@]}"; do
        check analyze --no-cache --format json "$report"
    done
    check stats --list
    check analyze /nowhere.sqlite
}
finished=yes
printf '%d passed, %d failed\n' "$passed" "$failed"
[[ $failed -eq 0 ]]
