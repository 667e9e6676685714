# shellcheck shell=bash disable=SC2034
# Shared by run.sh and test.sh. Sourced, not run.

project="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
version="$(sed -n 's/^project(warpline VERSION \([0-9.]*\).*/\1/p' "$project/CMakeLists.txt")"

# Packages for a minimal Debian 12 or Ubuntu 24.04.
build_packages=(g++ cmake ninja-build libsqlite3-dev libxxhash-dev zlib1g-dev liblzma-dev libzstd-dev libfmt-dev nlohmann-json3-dev libcli11-dev
    qt6-base-dev qt6-l10n-tools qt6-translations-l10n libgl-dev libopengl-dev fonts-dejavu-core)
# Header-only libraries.
compiled_in=(libfmt-dev nlohmann-json3-dev libcli11-dev libxxhash-dev qt6-translations-l10n)
fleet_packages=(openmpi-bin libopenmpi-dev) # for warpline-fleet, which is built where they are
portable_packages=(fonttools fonts-noto-cjk) # a part of the font goes into the portable archive
run_packages=(qt6-qpa-plugins qt6-wayland)
# Tools that validate files for the desktop, man and the shells; tests of missing ones are skipped.
test_packages=(desktop-file-utils appstream libxml2-utils shared-mime-info man-db groff-base zsh fish python3-jsonschema python3-pandas)
bench_packages=(libbenchmark-dev sqlite3 valgrind)

# Undoes what package.sh may have left in a folder of objects: another kind of linking.
plain_options=(-DWARPLINE_STATIC=OFF -DWARPLINE_PORTABLE=OFF -UWARPLINE_ZSH_FOLDER -UWARPLINE_SPDX -USQLite3_LIBRARY -U'ZLIB_LIBRARY*')

say() { printf '== %s\n' "$*"; }

is_installed() { [[ "$(dpkg-query -W -f='${Status}' "$1" 2>/dev/null)" == "install ok installed" ]]; }

# install_missing PACKAGE...: installs missing packages; does not call apt when there are none.
install_missing() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "Not a Debian system: these packages (or their like) must be there: $*"
        return 0
    fi
    local missing=() names=() package
    for package in "$@"; do
        is_installed "$package" || missing+=("$package")
    done
    [[ ${#missing[@]} -gt 0 ]] || return 0
    local root=env
    [[ "$(id -u)" == 0 ]] || root=sudo
    if ! command -v "$root" >/dev/null; then
        say "Root is needed to install packages, and there is no sudo. As root, run: apt-get update && apt-get -y --no-install-recommends install ${missing[*]}"
        return 1
    fi
    say "Installing: ${missing[*]}"
    "$root" apt-get -qq update || return 1
    for package in "${missing[@]}"; do
        if apt-cache show "$package" >/dev/null 2>&1; then
            names+=("$package")
        else
            say "apt knows no package $package: going on without it"
        fi
    done
    "$root" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install "${names[@]}" >/dev/null
}

# parts_listed FILE: the SPDX document of a package is there.
parts_listed() {
    [[ -s "$1" ]] || { say "There is no $1"; return 1; }
}

# build_jobs: one per core, fewer where memory is short (a compiler takes up to a gigabyte); or WARPLINE_JOBS.
build_jobs() {
    local cores gigabytes
    if [[ -n "${WARPLINE_JOBS:-}" ]]; then
        printf '%s\n' "$WARPLINE_JOBS"
        return 0
    fi
    cores="$(nproc)"
    gigabytes="$(awk '/MemAvailable/ { print int($2 / 1000000) }' /proc/meminfo)"
    if [[ -n "$gigabytes" ]] && ((gigabytes < cores)); then
        cores="$((gigabytes > 0 ? gigabytes : 1))"
    fi
    printf '%s\n' "$cores"
}
