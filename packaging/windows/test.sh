#!/usr/bin/env bash
# Builds warpline-cli.exe with Debian's mingw-w64 and, where wine is, compares what it says of the reports of the tests with
# what the program of this system says (build/checked, else build/release). Called by packaging/test.sh --windows.
# The last line is "N passed, N failed". Tried on Debian 12 alone, under wine; on Windows itself it was not run.
set -euo pipefail
# shellcheck source=packaging/common.sh disable=SC1091
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

finished=no
trap '[[ $finished == yes ]] || printf "0 passed, 1 failed\n"' EXIT

install_missing g++ cmake ninja-build g++-mingw-w64-x86-64-posix gcc-mingw-w64-x86-64-posix wine64 tcl dpkg-dev make \
    libz-mingw-w64-dev libxxhash-dev libfmt-dev nlohmann-json3-dev libcli11-dev
cd "$project"
build="$project/build/windows"
prefix="$build/prefix"
mkdir -p "$prefix/include" "$prefix/lib/cmake"

# SQLite is in no package for mingw: its source is Debian's, made into the one file that SQLite is usually built from.
make_sqlite() {
    [[ ! -e "$prefix/lib/libsqlite3.a" ]] || return 0
    say "Building SQLite"
    local source="$build/sqlite" suite
    suite="$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")"
    rm -rf "$source"
    mkdir -p "$source/lists/partial" "$source/made"
    printf 'deb-src http://deb.debian.org/debian %s main\n' "$suite" >"$source/sources.list"
    local options=(-qq -o "Dir::Etc::sourcelist=$source/sources.list" -o Dir::Etc::sourceparts=/dev/null
        -o "Dir::State::lists=$source/lists" -o APT::Sandbox::User=root)
    apt-get "${options[@]}" update
    (cd "$source" && apt-get "${options[@]}" source sqlite3 >/dev/null)
    (cd "$source/made" && ../sqlite3-*/configure --disable-tcl --disable-readline >configure.log 2>&1 &&
        make sqlite3.c >make.log 2>&1)
    x86_64-w64-mingw32-gcc-posix -O2 -DSQLITE_THREADSAFE=1 -DSQLITE_OMIT_LOAD_EXTENSION -c "$source/made/sqlite3.c" \
        -o "$source/made/sqlite3.o"
    x86_64-w64-mingw32-ar rcs "$prefix/lib/libsqlite3.a" "$source/made/sqlite3.o"
    cp "$source/made/sqlite3.h" "$prefix/include/"
}

# header_library PACKAGE TARGET NAME...: headers of this system, which are the same for every system.
header_library() {
    local package="$1" target="$2" name
    shift 2
    for name in "$@"; do
        ln -sfn "/usr/include/$name" "$prefix/include/$name"
    done
    mkdir -p "$prefix/lib/cmake/$package"
    printf 'add_library(%s INTERFACE IMPORTED)\ntarget_include_directories(%s INTERFACE %s)\n' \
        "$target" "$target" "$prefix/include" >"$prefix/lib/cmake/$package/${package,,}-config.cmake"
}

make_sqlite
header_library fmt fmt::fmt fmt
header_library nlohmann_json nlohmann_json::nlohmann_json nlohmann
header_library CLI11 CLI11::CLI11 CLI
ln -sfn /usr/include/xxhash.h "$prefix/include/xxhash.h"

say "Building warpline-cli.exe"
cmake --preset mingw -DWARPLINE_WINDOWS_PREFIX="$prefix" >/dev/null
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
