#!/usr/bin/env bash
# Builds Qt for Windows with mingw-w64, static and only what Warpline and its tests use, from the source of this system's
# qt6-base and with its tools: packaging/windows/build_qt.sh. Prints the folder that it is installed in. The result is kept by
# version and options (libraries.sh says where): a second call takes no time. About 40 minutes of processor time; a build that
# was interrupted continues.
set -euo pipefail
# shellcheck source=packaging/common.sh disable=SC1091
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
# shellcheck source=packaging/windows/libraries.sh disable=SC1091
source "$(dirname "${BASH_SOURCE[0]}")/libraries.sh"

install_missing "${windows_packages[@]}" qt6-base-dev qt6-l10n-tools qt6-translations-l10n >&2
# The window draws with QPainter, prints nothing and connects only to other instances of itself.
left_out=(sql dbus printsupport xml concurrent opengl vulkan ssl system_zlib)
options=()
for feature in "${left_out[@]}"; do
    options+=("-DFEATURE_$feature=OFF")
done
version_of_qt="$(dpkg-query -W -f='${Version}' qt6-base-dev)"
key="$(tr -c 'A-Za-z0-9.\n' '-' <<<"$version_of_qt")-$(sha256sum <<<"${options[*]}" | cut -c1-8)"
qt="$windows_cache/qt-$key"
if [[ -e "$qt/lib/cmake/Qt6/Qt6Config.cmake" ]]; then
    printf '%s\n' "$qt"
    exit 0
fi

work="$windows_cache/qt-build"
say "Building Qt for Windows" >&2
prepared="$work/source-of-$version_of_qt"
[[ -e "$prepared" ]] || debian_source "$work" qt6-base >&2
source="$(find "$work" -maxdepth 1 -type d -name 'qt*base*' | head -1)"
platforms="$source/src/plugins/platforms"
if [[ ! -e "$prepared" ]]; then # no tablets with pens: Debian's source leaves out wintab.h; no second platform for the screen
    sed -i 's/QT_CONFIG(tabletevent)/0/' "$platforms"/windows/*.{cpp,h}
    sed -i 's/CONDITION QT_FEATURE_tabletevent/CONDITION FALSE/' "$platforms/windows/CMakeLists.txt"
    sed -i 's/QT_FEATURE_direct2d1_1/FALSE/' "$platforms/CMakeLists.txt"
    sed -i '/add_subdirectory(tls)/d' "$source/src/plugins/CMakeLists.txt" # without ssl it does not compile
    touch "$prepared"
fi
launcher="$(command -v ccache || true)"
[[ -z "$launcher" ]] || options+=("-DCMAKE_C_COMPILER_LAUNCHER=$launcher" "-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher")
cmake -G Ninja -S "$source" -B "$work/build" -DCMAKE_TOOLCHAIN_FILE="$project/packaging/windows/mingw.cmake" \
    -DQT_HOST_PATH=/usr -DQT_HOST_PATH_CMAKE_DIR="/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)/cmake" \
    -DCMAKE_INSTALL_PREFIX="$qt.part" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
    -DQT_BUILD_TESTS=OFF -DQT_BUILD_EXAMPLES=OFF -DINPUT_opengl=no "${options[@]}" >"$work/configure.log" 2>&1 ||
    { tail -n 20 "$work/configure.log" >&2; exit 1; }
cmake --build "$work/build" --parallel "$(build_jobs)" >"$work/build.log" 2>&1 || { tail -n 40 "$work/build.log" >&2; exit 1; }
rm -rf "$qt.part"
cmake --install "$work/build" >"$work/install.log" 2>&1 || { tail -n 20 "$work/install.log" >&2; exit 1; }
cp -r "$source/LICENSES" "$qt.part/licences"
mv "$qt.part" "$qt"
rm -rf "$work"
printf '%s\n' "$qt"
