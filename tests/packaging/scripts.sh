#!/usr/bin/env bash
# Tests packaging/hardening.sh, packaging/spdx.sh and functions of packaging/common.sh: scripts.sh COMPILER FOLDER
# hardening.sh must name the protection that a small program is compiled without. Ends with 77 where this system has no packages
# of Debian, or no Python.
# shellcheck disable=SC2317 # functions that scripts call in place of programs
set -euo pipefail
compiler="$1"
folder="$2"
# shellcheck source=packaging/common.sh disable=SC1091
source "$(dirname "${BASH_SOURCE[0]}")/../../packaging/common.sh"
command -v dpkg-query >/dev/null && command -v readelf >/dev/null && command -v python3 >/dev/null || exit 77
mkdir -p "$folder"
cd "$folder"
export LC_ALL=C SOURCE_DATE_EPOCH=0

cat >small.cpp <<'END'
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
[[gnu::used]] const char mark[]{'F', 'O', 'R', 'T', 'I', 'F', 'Y', '=', '0' + __USE_FORTIFY_LEVEL, 0};
int main(int count, char** words)
{
    char text[8];
    std::strcpy(text, words[count - 1]);
    const std::vector<int> numbers(static_cast<std::size_t>(count));
    return std::puts(text) + numbers[static_cast<std::size_t>(words[0][0])];
}
END

# complaint OPTION...: what hardening.sh says of a program that is compiled with these after all that harden it.
complaint() {
    "$compiler" -O2 -fPIE -pie -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -D_GLIBCXX_ASSERTIONS -Wl,-z,relro,-z,now \
        small.cpp -o small "$@"
    "$project/packaging/hardening.sh" ./small 2>&1 || true
}
# expects TEXT OPTION...
expects() {
    local said
    said="$(complaint "${@:2}")"
    if [[ "$said" != "${1:+./small: $1}" ]]; then
        printf 'With "%s" hardening.sh says "%s", not "%s"\n' "${*:2}" "$said" "$1"
        exit 1
    fi
}
expects ""
expects "is at a fixed address (no PIE)" -no-pie -fno-pie
expects "relocations stay writable (no full RELRO)" -Wl,-z,lazy
expects "has an executable stack" -Wl,-z,execstack
expects "has no stack protector" -fno-stack-protector
expects "has no assertions of the C++ library" -U_GLIBCXX_ASSERTIONS
expects "has no fortified calls of level 3 (FORTIFY)" -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
expects "has no fortified calls (FORTIFY)"$'\n'"./small: has no fortified calls of level 3 (FORTIFY)" -U_FORTIFY_SOURCE

# The document is valid JSON and fails where it is missing. A part without a known licence is a warning: a new library of the
# distribution stops no build.
"$project/packaging/spdx.sh" small small.spdx.json libc6 "${compiled_in[@]:0:2}"
parts_listed small.spdx.json
python3 -m json.tool small.spdx.json >/dev/null
"$project/packaging/spdx.sh" small small.spdx.json libc6 dpkg 2>said
grep -q 'Warning: .* dpkg ' said
! parts_listed none.spdx.json >/dev/null || { printf 'A missing document passes\n'; exit 1; }

# The licences of libraries that Qt loads on Ubuntu 24.04 are known; this system need not have them.
dpkg-query() { printf 1; }
export -f dpkg-query
"$project/packaging/spdx.sh" libraries libraries.spdx.json libproxy1v5 libduktape207 libcurl4t64 libcurl3t64-gnutls libglib2.0-0t64 libmount1 libblkid1 libselinux1 libffi8 \
    libnghttp2-14 librtmp1 libssh-4 libpsl5t64 libidn2-0 libunistring5 libbrotli1 libldap2 libsasl2-2 libssl3t64 libgnutls30t64 \
    libnettle8t64 libhogweed6t64 libgmp10 libp11-kit0 libtasn1-6 libxext6 libxrender1 libatomic1 2>said
[[ ! -s said ]] || { cat said; exit 1; }

# without_root PACKAGE...: what install_missing says to a user who is not root and has no sudo.
without_root() (
    is_installed() { return 1; }
    id() { printf '1000\n'; }
    command() { [[ "$*" != "-v sudo" ]] && builtin command "$@"; }
    apt-get() { printf 'apt-get was run\n'; }
    install_missing "$@"
)
if said="$(without_root first-package second-package)"; then
    printf 'install_missing succeeds without root\n'
    exit 1
fi
[[ "$said" == *"run: apt-get update && apt-get "*" install first-package second-package" && "$said" != *$'\n'* ]] || { printf '%s\n' "$said"; exit 1; }

# built SCRIPT ARGUMENT...: what a script says up to its first cmake, which fails here. All but the packages of tests are there.
built() (
    dpkg-query() { [[ " ${test_packages[*]} " != *" ${!#} "* ]] && printf 'install ok installed'; }
    id() { printf '1000\n'; }
    command() { [[ "$*" != "-v sudo" ]] && builtin command "$@"; }
    cmake() { printf 'cmake was run\n' >&2; return 1; }
    export -f dpkg-query id command cmake
    "$@" 2>&1 || printf 'Ends with %s\n' "$?"
)
said="$(built "$project/packaging/test.sh")"
[[ "$said" == *"cmake was run"* ]] || { printf 'Missing packages of tests stop test.sh: %s\n' "$said"; exit 1; }

# jobs_with GIGABYTES: what build_jobs says on a machine with 16 cores and this memory; nothing: it is not known.
jobs_with() (
    unset WARPLINE_JOBS
    nproc() { printf '16\n'; }
    memory="$1"
    awk() { printf '%s\n' "$memory"; }
    build_jobs
)
said="$(jobs_with 0) $(jobs_with 4) $(jobs_with 64) $(jobs_with "")"
[[ "$said" == "1 4 16 16" ]] || { printf 'build_jobs: %s\n' "$said"; exit 1; }

# Wrong arguments are refused before anything is built, also through a symbolic link.
ln -sf "$project/packaging/run.sh" "$project/packaging/test.sh" .
for arguments in "./run.sh nosuch.sqlite" "./run.sh --fresh" "./test.sh --asan --bench" "./test.sh --nonsense"; do
    read -ra words <<<"$arguments"
    said="$(built "${words[@]}")"
    [[ "$said" == *"Ends with 2" && "$said" != *"cmake was run"* ]] || { printf '%s: %s\n' "$arguments" "$said"; exit 1; }
done
said="$(built ./run.sh)"
[[ "$said" == *"cmake was run"* ]] || { printf 'run.sh through a link: %s\n' "$said"; exit 1; }
