#!/usr/bin/env bash
# Installs what is missing, builds Warpline, and opens a report: packaging/run.sh [report]. Without one the bundled sample.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
report=${1:-$root/resources/sample.sqlite}
[ -e "$report" ] || { echo "$report does not exist" >&2; exit 3; }
report=$(realpath "$report")

# shellcheck source=packaging/packages.sh
. "$root/packaging/packages.sh"
"$root/packaging/install_packages.sh" "${build_packages[@]}" "${run_packages[@]}"

cd "$root"
cmake --preset release -DWARPLINE_TESTS=OFF -DWARPLINE_BENCH=OFF >/dev/null
cmake --build --preset release --target warpline warpline-cli
exec build/release/bin/warpline "$report"
