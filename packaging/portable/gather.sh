#!/usr/bin/env bash
# Puts beside the installed programs what they need of this system: gather.sh ROOT
# Libraries but glibc's, plugins of Qt, fonts and what says where they are, and each one's licence.
set -euo pipefail
root="$1"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
# shellcheck source=packaging/common.sh disable=SC1091
source "$here/../common.sh"

plugins="$(qtpaths6 --query QT_INSTALL_PLUGINS 2>/dev/null || qmake6 -query QT_INSTALL_PLUGINS)"
# No OpenGL: Warpline draws without. A leading "-" marks plugins that are optional in this Qt.
wanted_plugins=(platforms/libqxcb.so platforms/libqoffscreen.so platforms/libqwayland-generic.so
    wayland-shell-integration/libxdg-shell.so -wayland-decoration-client/libbradient.so
    -wayland-decoration-client/libadwaita.so
    platforminputcontexts/libcomposeplatforminputcontextplugin.so
    platforminputcontexts/libibusplatforminputcontextplugin.so)
# glibc: required version 2.36 or later.
is_glibc() {
    case "$1" in
    ld-linux* | libc.so.* | libm.so.* | libmvec.so.* | libdl.so.* | libpthread.so.* | librt.so.* | libresolv.so.* | \
        libutil.so.* | libanl.so.* | libnsl.so.* | libnss_*) return 0 ;;
    *) return 1 ;;
    esac
}

taken=() # files of this system, whose licences go along

for plugin in "${wanted_plugins[@]}"; do
    if [[ "$plugin" == -* && ! -e "$plugins/${plugin#-}" ]]; then
        continue
    fi
    install -D -m 644 "$plugins/${plugin#-}" "$root/plugins/${plugin#-}"
    taken+=("$plugins/${plugin#-}")
done

# All libraries of the programs and the plugins: ldd lists them recursively.
mkdir -p "$root/lib"
needed="$(for file in "$root"/bin/* "${taken[@]}"; do ldd "$file"; done)"
if grep 'not found' <<<"$needed"; then
    printf 'A library is missing on this system: what is made without it would not start\n'
    exit 1
fi
while read -r library; do
    name="$(basename "$library")"
    is_glibc "$name" && continue
    install -m 644 "$library" "$root/lib/$name"
    taken+=("$(realpath "$library")")
done < <(awk '$2 == "=>" && $3 ~ /^\// { print $3 }' <<<"$needed" | sort -u)
strip --strip-unneeded "$root"/lib/*.so* "$root"/plugins/*/*.so

# A minimal system has no fonts: these are used in addition to the system's own.
fonts=(DejaVuSans.ttf DejaVuSans-Bold.ttf DejaVuSansMono.ttf)
for font in "${fonts[@]}"; do
    file="/usr/share/fonts/truetype/dejavu/$font"
    install -D -m 644 "$file" "$root/share/fonts/$font"
    taken+=("$file")
done

# Chinese and Japanese: the collection's family for China, without letters outside of GBK (Korean, rare ones) and without
# features for printing. 4 MB of 19.
collection=/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc
read -r place letters < <(/usr/bin/python3 -c '
import sys
from fontTools.ttLib import TTCollection
def is_of_gbk(letter):
    try:
        return len(chr(letter).encode("gbk")) == 2
    except UnicodeEncodeError:
        return False
names = [font["name"].getDebugName(1) for font in TTCollection(sys.argv[1], lazy=True)]
print(names.index("Noto Sans CJK SC"), ",".join(f"{letter:x}" for letter in range(0x80, 0x10000) if is_of_gbk(letter)))
' "$collection")
pyftsubset "$collection" --font-number="$place" --unicodes="20-7e,$letters" --layout-features= --no-hinting --desubroutinize \
    --output-file="$root/share/fonts/NotoSansCJKsc-Regular.otf"
chmod 644 "$root/share/fonts/NotoSansCJKsc-Regular.otf"
taken+=("$collection")
install -D -m 644 "$here/fonts.conf" "$root/etc/fonts.conf"
install -m 644 "$here/qt.conf" "$root/bin/qt.conf"
install -m 644 "$here/../../LICENSE" "$root/LICENSE"

# owner FILE: the package that a file came with; where /lib is /usr/lib, dpkg may know it under either name.
owner() {
    dpkg-query --search "$1" 2>/dev/null || dpkg-query --search "${1#/usr}" 2>/dev/null ||
        dpkg-query --search "/usr$1" 2>/dev/null
}
mapfile -t owners < <(for file in "${taken[@]}"; do owner "$file" | head -n 1 | cut -d: -f1; done | sort -u)
for package in "${owners[@]}"; do
    [[ -e "/usr/share/doc/$package/copyright" ]] || continue
    install -D -m 644 "$(realpath "/usr/share/doc/$package/copyright")" "$root/share/doc/licences/$package"
done
"$here/../spdx.sh" "$(basename "$root")" "$root/share/doc/warpline/warpline.spdx.json" "${owners[@]}" "${compiled_in[@]}"
