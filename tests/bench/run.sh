#!/usr/bin/env bash
# Measures an optimised build: tests/bench/run.sh build/release/bin [--kernels N] [--instructions]
#   --kernels N      size of the report that is made for it (default 1M)
#   --instructions   counts instructions with callgrind instead, on a small report: the same on every machine
# Makes its report out of the largest real one there is, beside the binaries; it is kept for the next run.
set -euo pipefail

bin="$(realpath "${1:?the folder of warpline-bench and warpline-tile}")"
shift
kernels=1M
instructions=no
while [[ $# -gt 0 ]]; do
    case "$1" in
    --kernels)
        kernels="${2:?a number}"
        shift
        ;;
    --instructions)
        instructions=yes
        kernels=20k
        ;;
    *)
        printf 'tests/bench/run.sh: no such option: %s\n' "$1" >&2
        exit 2
        ;;
    esac
    shift
done

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
if [[ ! -x "$bin/warpline-bench" ]]; then
    echo "No benchmarks were built in $bin: Google Benchmark is missing, or WARPLINE_BENCH is OFF." >&2
    exit 1
fi
source="$root/../shared/reports/h200/storm_80k/storm_80k.sqlite"
[[ -e "$source" ]] || source="$root/resources/sample.sqlite"
report="$bin/../bench-$(basename "$source" .sqlite)-$kernels.sqlite"
[[ -e "$report" ]] || "$bin/warpline-tile" --kernels "$kernels" "$source" "$report"

if [[ $instructions == yes ]]; then
    command -v valgrind >/dev/null || { echo "valgrind is not installed." >&2; exit 1; }
    for work in bare_scan load build_rows frame_full frame_middle frame_deep row_figures name_figures coverage \
        sort_by_duration rules summary_tables; do
        count="$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect='*measuredOnce*' \
            "$bin/warpline-bench" --once "$work" "$report" 2>&1 | awk '/Collected/ { print $4 }')"
        printf '%-20s %18s instructions\n' "$work" "$count"
    done
    exit 0
fi
"$bin/warpline-bench" "$report"
