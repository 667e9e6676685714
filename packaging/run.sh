#!/usr/bin/env bash
# Builds Warpline and opens a report: packaging/run.sh [REPORT.sqlite]
# Without a report it opens the bundled sample. Installs what the build needs (Debian 12, Ubuntu 24.04).
set -euo pipefail
# shellcheck source=packaging/common.sh disable=SC1091
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/common.sh"

if [[ $# -gt 1 || "${1:-}" == -* ]]; then
    printf 'Usage: %s [REPORT.sqlite]\nBuilds Warpline and opens the report, or the bundled sample.\n' "$0"
    [[ "$*" == -h || "$*" == --help ]] && exit 0 || exit 2
fi
report="$(realpath -m "${1:-$project/resources/sample.sqlite}")"
if [[ ! -e "$report" ]]; then
    say "There is no $report"
    exit 2
fi

install_missing "${build_packages[@]}" "${run_packages[@]}"
cd "$project"
jobs="$(build_jobs)"
say "Building: about 16 minutes of processor time when nothing is built yet, shared by $jobs compilers"
# New warnings of a newer compiler must not prevent a user's build.
cmake --preset release "${plain_options[@]}" -DWARPLINE_FLEET=OFF -DWARPLINE_TESTS=OFF -DWARPLINE_BENCH=OFF -DWARPLINE_WARNINGS_AS_ERRORS=OFF >/dev/null
cmake --build --preset release --parallel "$jobs"
if [[ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]]; then
    say "There is no display here. What the report holds, and a picture of the window in build/warpline.png:"
    build/release/bin/warpline-cli info "$report"
    QT_QPA_PLATFORM=offscreen exec build/release/bin/warpline --screenshot build/warpline.png "$report"
fi
say "Opening $report"
exec build/release/bin/warpline "$report"
