#!/usr/bin/env bash
# Builds warpline-cli.exe and tests of core with Debian's mingw-w64 and runs them under wine:
# packaging/windows/test.sh [--json] [REPORT or FOLDER...]
# The tests are those that meet the system (files, paths, memory, threads) and one or two of each kind of work on reports.
# JSON and CSV are compared with what the program of this system prints (WARPLINE_CLI, or that of build/checked, release or
# dev) for the reports of the tests, the REPORTs and all reports in the FOLDERs, one at a time. With --json nothing else is
# done. Called by packaging/test.sh --windows. The last line is "N passed, N failed".
set -euo pipefail
# shellcheck source=packaging/common.sh disable=SC1091
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
# shellcheck source=packaging/windows/libraries.sh disable=SC1091
source "$(dirname "${BASH_SOURCE[0]}")/libraries.sh"

finished=no
trap '[[ $finished == yes ]] || printf "0 passed, 1 failed\n"' EXIT

tests=(base/tst_platform base/tst_pending_file base/tst_large_blocks base/tst_job_runner load/tst_report_files load/tst_load_report
    cache/tst_trace_cache sqlite/tst_page_rows load/tst_row_order load/tst_hostile_numbers sql/tst_sql_session cut/tst_cut_report
    export/tst_event_export kineto/tst_kineto_traces rocprof/tst_rocprof stats/tst_stats_tables findings/tst_rules steps/tst_steps
    compare/tst_compare_parts replay/tst_replay)
install_missing "${windows_packages[@]}" wine wine64
with_tests=ON
if [[ "${1:-}" == --json ]]; then
    tests=()
    with_tests=OFF
    shift
fi
reports=()
for report in "$@"; do
    mapfile -t -O "${#reports[@]}" reports < <(find "$(realpath "$report")" -type f \
        \( -name '*.sqlite' -o -name '*.sqlite.gz' -o -name '*.json' -o -name '*.json.gz' -o -name '*.db' \) | sort)
done
cd "$project"
build="$project/build/windows"
configure_windows -DWARPLINE_TESTS="$with_tests"
rooms=("${tests[@]%/*}")
say "Building warpline-cli.exe and ${#tests[@]} tests"
cmake --build "$build" --parallel "$(build_jobs)" --target warpline-cli "${rooms[@]/#/tst_core_}"

export QTEST_FUNCTION_TIMEOUT=1800000 WINEDEBUG=-all WINEPREFIX="$build/wine" WINEDLLOVERRIDES="mscoree,mshtml=;winemenubuilder.exe=d" LC_ALL=C.UTF-8
wine wineboot --init >/dev/null 2>&1 || true
passed=1 # it builds
failed=0

say "Tests under wine"
for test in "${tests[@]}"; do
    name="${test#*/}"
    rm -f "$build/$name.log"
    timeout 1800 wine "$build/bin/tst_core_${test%/*}.exe" "$name" -o "$build/$name.log,txt" >/dev/null 2>&1 || true # Qt's goes to a debugger else
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

native="${WARPLINE_CLI:-}"
for candidate in checked release dev; do
    [[ -n "$native" || ! -x "build/$candidate/bin/warpline-cli" ]] || native="build/$candidate/bin/warpline-cli"
done
[[ -n "$native" ]] || { say "No warpline-cli of this system to compare with: run packaging/test.sh first"; failed=$((failed + 1)); reports=(); }

# answer PROGRAM... : its output without legitimate differences (line ends, the commit, folders, wine's messages about its
# services), and its exit code.
answer() {
    { timeout 600 "$@" 2>&1 || printf 'exit %s\n' $?; } | tr -d '\r' | sed '/^wine: /d; s/"warpline": "[^"]*"//; s/[A-Z]:\\[^ "]*\\//g'
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
