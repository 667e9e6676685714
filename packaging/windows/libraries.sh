# shellcheck shell=bash disable=SC2034
# The libraries that programs for Windows link, in the folder $prefix. Sourced after common.sh, not run.
# Libraries built from source are kept in WARPLINE_WINDOWS_CACHE, by version: building Qt takes longest.

windows_packages=(g++ cmake ninja-build g++-mingw-w64-x86-64-posix gcc-mingw-w64-x86-64-posix tcl dpkg-dev make
    libz-mingw-w64-dev libxxhash-dev libfmt-dev nlohmann-json3-dev libcli11-dev)
windows_cache="${WARPLINE_WINDOWS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/warpline-windows}"
prefix="$windows_cache/prefix"

# debian_source FOLDER PACKAGE: unpacks there the source of PACKAGE as this system's release has it.
debian_source() {
    local folder="$1" suite options
    suite="$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")"
    rm -rf "$folder"
    mkdir -p "$folder/lists/partial"
    printf 'deb-src http://deb.debian.org/debian %s main\n' "$suite" >"$folder/sources.list"
    options=(-qq -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=/dev/null
        -o "Dir::State::lists=$folder/lists" -o APT::Sandbox::User=root)
    apt-get "${options[@]}" update
    (cd "$folder" && apt-get "${options[@]}" source "$2" >/dev/null)
}

# mingw has no SQLite package: uses Debian's source, made into SQLite's usual amalgamation.
make_sqlite() {
    [[ ! -e "$prefix/lib/libsqlite3.a" ]] || return 0
    say "Building SQLite for Windows"
    local source="$windows_cache/sqlite"
    debian_source "$source" sqlite3
    mkdir -p "$source/made"
    (cd "$source/made" && ../sqlite3-*/configure --disable-tcl --disable-readline >configure.log 2>&1 &&
        make sqlite3.c >make.log 2>&1)
    x86_64-w64-mingw32-gcc-posix -O2 -DSQLITE_THREADSAFE=1 -DSQLITE_OMIT_LOAD_EXTENSION -c "$source/made/sqlite3.c" \
        -o "$source/made/sqlite3.o"
    x86_64-w64-mingw32-ar rcs "$prefix/lib/libsqlite3.a" "$source/made/sqlite3.o"
    cp "$source/made/sqlite3.h" "$prefix/include/"
    rm -rf "$source"
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

# make_libraries: all but Qt, which build_qt.sh makes.
make_libraries() {
    mkdir -p "$prefix/include" "$prefix/lib/cmake"
    make_sqlite
    header_library fmt fmt::fmt fmt
    header_library nlohmann_json nlohmann_json::nlohmann_json nlohmann
    header_library CLI11 CLI11::CLI11 CLI
    ln -sfn /usr/include/xxhash.h "$prefix/include/xxhash.h"
}

# configure_windows OPTION...: configures build/windows with all libraries, which are built or taken from the cache. Sets qt.
configure_windows() {
    make_libraries
    qt="$("$project/packaging/windows/build_qt.sh")"
    cmake --preset mingw -DWARPLINE_WINDOWS_PREFIX="$prefix" -DWARPLINE_WINDOWS_QT="$qt" -DQt6_DIR="$qt/lib/cmake/Qt6" \
        -DQT_HOST_PATH=/usr -DQT_HOST_PATH_CMAKE_DIR="/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)/cmake" "$@" >/dev/null
}
