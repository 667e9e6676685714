#!/usr/bin/env bash
# Makes what people install: packaging/package.sh deb|portable|cli... [--output FOLDER]
#   deb       a Debian package for the system that this runs on (Debian 12 or later, Ubuntu 24.04 or later)
#   portable  Warpline-VERSION-x86_64.tar.gz: the programs with Qt and all else but glibc, runs where it is unpacked
#   cli       warpline-cli-VERSION-x86_64: the command line in one file that needs no library
# They come to build/packages, with SHA256SUMS beside them. Two runs on one commit and one system give equal files.
set -euo pipefail
# shellcheck source=packaging/common.sh disable=SC1091
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    printf 'Usage: %s deb|portable|cli... [--output FOLDER]\n' "$0"
    exit "$1"
}

kinds=()
output="$project/build/packages"
while [[ $# -gt 0 ]]; do
    case "$1" in
    deb | portable | cli) kinds+=("$1") ;;
    --output)
        [[ $# -gt 1 ]] || usage 2
        output="$(realpath -m "$2")"
        shift
        ;;
    -h | --help) usage 0 ;;
    *) usage 2 ;;
    esac
    shift
done
[[ ${#kinds[@]} -gt 0 ]] || usage 2

install_missing "${build_packages[@]}" "${run_packages[@]}" dpkg-dev file
cd "$project"
umask 022
export LC_ALL=C
version="$(sed -n 's/^project(warpline VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)"
machine="$(uname -m)"

# All times in what is made are the commit's, or the youngest file's where there is no checkout.
SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || find . -path ./build -prune -o -type f -printf '%T@\n' | sort -n | tail -1 | cut -d. -f1)}"
export SOURCE_DATE_EPOCH

# configure FOLDER OPTION...
configure() {
    local folder="$1"
    shift
    cmake --preset release -B "$folder" -DWARPLINE_FLEET=OFF -DWARPLINE_TESTS=OFF -DWARPLINE_BENCH=OFF -DWARPLINE_WARNINGS_AS_ERRORS="${WARPLINE_WARNINGS_AS_ERRORS:-OFF}" \
        -DCMAKE_INSTALL_PREFIX=/usr "$@" >/dev/null
    cmake --build "$folder" --parallel "$(build_jobs)"
}

make_deb() {
    configure build/package -DWARPLINE_PORTABLE=OFF
    rm -rf build/package/deb
    cpack --config build/package/CPackConfig.cmake -G DEB -B "$project/build/package/deb" >/dev/null
    cp build/package/deb/*.deb "$output/"
}

make_cli() {
    configure build/package-cli -DWARPLINE_STATIC=ON
    install -m 755 build/package-cli/bin/warpline-cli "$output/warpline-cli-$version-$machine"
    strip "$output/warpline-cli-$version-$machine"
}

make_portable() {
    configure build/package -DWARPLINE_PORTABLE=ON
    local name="Warpline-$version-$machine"
    local root="build/package/portable/$name"
    rm -rf build/package/portable
    cmake --install build/package --strip --prefix "$project/$root" >/dev/null
    packaging/portable/gather.sh "$root"
    find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
    tar --create --sort=name --owner=0 --group=0 --numeric-owner --format=ustar --directory build/package/portable "$name" |
        gzip --no-name -9 >"$output/$name.tar.gz"
}

mkdir -p "$output"
for kind in "${kinds[@]}"; do
    say "Making $kind of Warpline $version"
    "make_$kind"
done
sums="$(cd "$output" && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum)"
printf '%s\n' "$sums" >"$output/SHA256SUMS"
say "In $output:"
(cd "$output" && ls -l)
