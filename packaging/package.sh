#!/usr/bin/env bash
# Makes what people install: packaging/package.sh deb|portable|cli|rpm|windows... [--output FOLDER]
#   deb       a Debian package for the system that this runs on and later ones (Debian 12, Ubuntu 24.04)
#   portable  Warpline-VERSION-x86_64.tar.gz: the programs with Qt and all else but glibc, runs where it is unpacked
#   cli       warpline-cli-VERSION-x86_64: the command line in one file that needs no library
#   rpm       the same files as an RPM, which asks for the libraries by name and not for packages of a distribution
#   windows   Warpline-VERSION-windows-x86_64.zip and an installer for one user, cross-compiled with mingw-w64
# They come to build/packages, with SHA256SUMS beside them. Two runs on one commit and one system give equal files, in
# whatever folder. All kinds are linked from the same objects, those of WARPLINE_BUILD (build/package where it is not set):
# after packaging/run.sh, WARPLINE_BUILD=build/release makes packages in a minute.
set -euo pipefail
# shellcheck source=packaging/common.sh disable=SC1091
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    printf 'Usage: %s deb|portable|cli|rpm|windows... [--output FOLDER]\n' "$0"
    exit "$1"
}

kinds=()
output="$project/build/packages"
while [[ $# -gt 0 ]]; do
    case "$1" in
    deb | portable | cli | rpm | windows) kinds+=("$1") ;;
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

packages=("${build_packages[@]}" "${run_packages[@]}" dpkg-dev file)
[[ " ${kinds[*]} " != *" portable "* ]] || packages+=("${portable_packages[@]}")
[[ " ${kinds[*]} " != *" rpm "* ]] || packages+=(rpm)
[[ " ${kinds[*]} " != *" windows "* ]] || packages+=(nsis zip)
install_missing "${packages[@]}"
cd "$project"
umask 022
export LC_ALL=C
machine="$(uname -m)"
build="$(realpath -m "${WARPLINE_BUILD:-build/package}")"

# All times in packages are the commit's, or the newest file's without a checkout.
SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || find . -path ./build -prune -o -type f -printf '%T@\n' | sort -n | tail -1 | cut -d. -f1)}"
export SOURCE_DATE_EPOCH

# configure OPTION...: another kind only differs in linking, so only affected files are built again. Looks up the libraries each
# time, because static ones have other names. Always links fmt statically: its version differs between releases of a
# distribution, and so one .deb works on several.
configure() {
    cmake --preset release -B "$build" -DWARPLINE_FLEET=OFF -DWARPLINE_TESTS=OFF -DWARPLINE_BENCH=OFF -DWARPLINE_WARNINGS_AS_ERRORS="${WARPLINE_WARNINGS_AS_ERRORS:-OFF}" \
        "${plain_options[@]}" -DWARPLINE_OWN_FMT=ON "$@" >/dev/null
    cmake --build "$build" --parallel "$(build_jobs)"
    find "$build/bin" -name 'warpline*' -type f -executable -exec packaging/hardening.sh {} +
}

# libraries_of PROGRAM...: the packages of this system whose libraries they load.
libraries_of() {
    ldd "$@" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u | while read -r library; do
        { dpkg-query --search "$library" || dpkg-query --search "/usr$library"; } 2>/dev/null | head -n 1 | cut -d: -f1
    done
}

# by_cpack GENERATOR ENDING OPTION...
by_cpack() {
    local parts="$build/warpline.spdx.json"
    rm -f "$parts"
    configure "${@:3}" -DWARPLINE_SPDX="$parts"
    mapfile -t linked < <(libraries_of "$build/bin/warpline" "$build/bin/warpline-cli")
    packaging/spdx.sh "warpline-$2" "$parts" "${linked[@]}" "${compiled_in[@]}"
    rm -rf "${build:?}/$2"
    cpack --config "$build/CPackConfig.cmake" -G "$1" -B "$build/$2" >/dev/null
    cp "$build/$2"/*."$2" "$output/"
}

make_deb() { by_cpack DEB deb -DWARPLINE_ZSH_FOLDER=vendor-completions; } # as Debian's policy has it
make_rpm() { by_cpack RPM rpm; }

# A single file has no room for licences: they are in a file next to it.
make_cli() {
    local name="warpline-cli-$version-$machine" library
    configure -DWARPLINE_STATIC=ON
    install -m 755 "$build/bin/warpline-cli" "$output/$name"
    strip "$output/$name"
    for library in libc6-dev "libstdc++-$(g++ -dumpversion | cut -d. -f1)-dev" libsqlite3-dev zlib1g-dev libfmt-dev \
        nlohmann-json3-dev libcli11-dev libxxhash-dev; do
        printf '\n== %s\n\n' "${library%-dev}"
        cat "/usr/share/doc/$library/copyright"
    done | cat LICENSE - >"$output/$name.licences.txt"
    packaging/spdx.sh "$name" "$output/$name.spdx.json" libc6-dev "libstdc++-$(g++ -dumpversion | cut -d. -f1)-dev" libsqlite3-dev \
        zlib1g-dev "${compiled_in[@]}"
}

# unpacked NAME: sets root to a folder of that name with the contents of the portable archive.
unpacked() {
    configure -DWARPLINE_PORTABLE=ON
    root="$build/portable/$1"
    rm -rf "$build/portable"
    cmake --install "$build" --strip --prefix "$root" >/dev/null
    packaging/portable/gather.sh "$root"
}

make_portable() {
    local name="Warpline-$version-$machine" root
    unpacked "$name"
    find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
    tar --create --sort=name --owner=0 --group=0 --numeric-owner --format=ustar --directory "$build/portable" "$name" |
        gzip --no-name -9 >"$output/$name.tar.gz"
}

# The objects are in a separate folder, because the compiler differs. Qt is built first, or taken from the cache.
make_windows() {
    # shellcheck source=packaging/windows/libraries.sh disable=SC1091
    source packaging/windows/libraries.sh
    install_missing "${windows_packages[@]}"
    local qt objects="$project/build/windows" name="Warpline-$version-windows-x86_64" root
    configure_windows
    cmake --build "$objects" --parallel "$(build_jobs)" --target warpline warpline-cli
    packaging/hardening.sh "$objects/bin/warpline.exe" "$objects/bin/warpline-cli.exe"
    root="$objects/package/$name"
    rm -rf "$objects/package"
    mkdir -p "$root/licences"
    x86_64-w64-mingw32-strip -o "$root/warpline.exe" "$objects/bin/warpline.exe"
    x86_64-w64-mingw32-strip -o "$root/warpline-cli.exe" "$objects/bin/warpline-cli.exe"
    cp resources/sample.sqlite "$root/"
    sed 's/$/\r/' packaging/windows/README.txt >"$root/README.txt"
    licences "$root/licences" "$qt"
    packaging/spdx.sh "$name" "$root/warpline.spdx.json" libsqlite3-dev libz-mingw-w64-dev g++-mingw-w64-x86-64-posix mingw-w64-x86-64-dev \
        qt6-base-dev "${compiled_in[@]}"
    find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
    rm -f "$output/$name.zip"
    (cd "$objects/package" && find "$name" -type f | sort | TZ=UTC zip -q -9 -X "$output/$name.zip" -@)
    makensis -V2 -NOCD "-DVERSION=$version" "-DROOT=$root" "-DICON=$project/packaging/windows/warpline.ico" \
        "-DOUTPUT=$output/$name-setup.exe" packaging/windows/installer.nsi
}

# licences FOLDER QT: of all that is linked into the programs for Windows.
licences() {
    local package
    sed 's/$/\r/' LICENSE >"$1/GPL-3.0-or-later.txt"
    for package in libsqlite3-dev libz-mingw-w64-dev libfmt-dev nlohmann-json3-dev libcli11-dev libxxhash-dev \
        g++-mingw-w64-x86-64-posix mingw-w64-x86-64-dev qt6-base-dev; do
        cp "/usr/share/doc/$package/copyright" "$1/${package%-dev}.txt"
    done
    cp -r "$2/licences" "$1/Qt"
}

# The static program comes last: its configuration does not know the window, whose objects ninja may then remove.
mapfile -t kinds < <(printf '%s\n' "${kinds[@]}" | sed 's/^cli$/z cli/' | sort -u | sed 's/^z //')
mkdir -p "$output"
for kind in "${kinds[@]}"; do
    say "Making $kind of Warpline $version"
    "make_$kind"
done
sums="$(cd "$output" && find . -maxdepth 1 -type f -iname 'warpline[-_]*' -printf '%P\0' | sort -z | xargs -0 sha256sum)"
printf '%s\n' "$sums" >"$output/SHA256SUMS"
say "In $output:"
(cd "$output" && ls -l)
