#!/usr/bin/env bash
# Builds warpline-cli.exe with Debian's mingw-w64 and, where wine is, compares what it says of the reports of the tests with
# what the program of this system says (build/checked, else build/release). Called by packaging/test.sh --windows.
# The last line is "N passed, N failed". Tried on Debian 12 alone, under wine; on Windows itself it was not run.
set -euo pipefail
# shellcheck source=packaging/common.sh disable=SC1091
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

finished=no
trap '[[ $finished == yes ]] || printf "0 passed, 1 failed\n"' EXIT

# shellcheck source=packaging/windows/libraries.sh disable=SC1091
source "$(dirname "${BASH_SOURCE[0]}")/libraries.sh"
install_missing "${windows_packages[@]}" wine64
cd "$project"
build="$project/build/windows"
make_libraries

say "Building warpline-cli.exe"
cmake --preset mingw -DWARPLINE_WINDOWS_PREFIX="$prefix" -DWARPLINE_GUI=OFF >/dev/null
cmake --build --preset mingw --parallel "$(build_jobs)" -- -k 0

wine="$(command -v wine64 || command -v /usr/lib/wine/wine64 || true)"
native=""
for candidate in checked release; do
    [[ -n "$native" || ! -x "build/$candidate/bin/warpline-cli" ]] || native="build/$candidate/bin/warpline-cli"
done
if [[ -z "$wine" || -z "$native" ]]; then
    finished=yes
    say "Built, and not run: wine64 or a build of this system is missing"
    printf '1 passed, 0 failed\n'
    exit 0
fi

# answer PROGRAM... : what it prints, without what may differ: line ends, the commit, and SQLite's version.
answer() {
    WINEDEBUG=-all WINEPREFIX="$build/wine" "$@" 2>&1 | tr -d '\r' | sed 's/"warpline": "[^"]*"//; s/[A-Z]:\\[^ "]*\\//g'
}

# The first program that wine runs makes its folder, and says so among what the program says.
answer "$wine" build/windows/bin/warpline-cli.exe --version >/dev/null

passed=1 # it builds
failed=0
check() {
    if diff <(answer "$native" "$@") <(answer "$wine" build/windows/bin/warpline-cli.exe "$@") >"$build/difference.txt"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        say "Different: warpline-cli $*"
        head -n 10 "$build/difference.txt"
    fi
}
for report in resources/sample.sqlite tests/data/reports/*.sqlite; do
    check info --no-cache --format json "$report"
    check analyze --no-cache --format json "$report"
    check stats --no-cache --format csv "$report"
done
check stats --list
check analyze /nowhere.sqlite
finished=yes
printf '%d passed, %d failed\n' "$passed" "$failed"
[[ $failed -eq 0 ]]
