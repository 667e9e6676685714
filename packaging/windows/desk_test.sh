#!/usr/bin/env bash
# Tries the packages for Windows as a stranger would, under wine and a display of its own: packaging/windows/desk_test.sh
# Needs what packaging/package.sh windows made. Pictures come to build/packages/desk-windows. The last line is
# "N passed, N failed". Wine is not Windows: fonts, file dialogs and the shell are wine's.
set -euo pipefail
# shellcheck source=packaging/common.sh disable=SC1091
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
cd "$project"
install_missing wine64 wine xvfb xdotool imagemagick unzip

packages="${WARPLINE_PACKAGES:-$project/build/packages}"
name="Warpline-$version-windows-x86_64"
pictures="$packages/desk-windows"
work="$(mktemp -d)"
export WINEPREFIX="$work/wine" WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml=" XDG_CACHE_HOME="$work/cache"
unset WAYLAND_DISPLAY
mkdir -p "$pictures"
passed=0
failed=0
display=":$((200 + $$ % 700))"
Xvfb "$display" -screen 0 1600x1000x24 >/dev/null 2>&1 &
server=$!
export DISPLAY="$display"
cleanup() {
    wineserver -k 2>/dev/null || /usr/lib/wine/wineserver64 -k 2>/dev/null || true
    kill "$server" 2>/dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT
wine() { command wine64 "$@" 2>/dev/null || /usr/lib/wine/wine64 "$@"; }
if ! command -v wine64 >/dev/null; then
    wine() { /usr/lib/wine/wine64 "$@"; }
fi

# try NAME COMMAND...: counts whether it holds.
try() {
    local what="$1"
    shift
    if "$@"; then
        passed=$((passed + 1))
        say "passed: $what"
    else
        failed=$((failed + 1))
        say "FAILED: $what"
    fi
}

# shown TITLE SECONDS: prints the window whose title has TITLE, once there is one.
shown() {
    local tries=$((2 * $2)) window
    while ((tries-- > 0)); do
        window="$(xdotool search --onlyvisible --name "$1" 2>/dev/null | head -1)"
        [[ -z "$window" ]] || { printf '%s\n' "$window"; return 0; }
        sleep 0.5
    done
    return 1
}
gone() { # TITLE SECONDS
    local tries=$((2 * $2))
    while ((tries-- > 0)); do
        xdotool search --onlyvisible --name "$1" >/dev/null 2>&1 || return 0
        sleep 0.5
    done
    return 1
}
picture() { import -window root "$pictures/$1.png"; }
close_window() { # TITLE: as Alt+F4 does
    xdotool search --onlyvisible --name "$1" windowactivate --sync key --clearmodifiers alt+F4 2>/dev/null || true
    gone "$1" 20 || wine taskkill /f /im warpline.exe >/dev/null 2>&1 || true
}
registry() { wine reg query "$1" /s 2>/dev/null | tr -d '\r'; }
inside() { printf '%s/drive_c/%s' "$WINEPREFIX" "$1"; }
user="$(id -un)"
programs() { inside "users/$user/AppData/Local/Programs/Warpline"; }

say "Making a folder for wine"
wine wineboot --init >/dev/null 2>&1 || true
find "$WINEPREFIX" -path '*users/*' | sort >"$work/files-before"
registry 'HKCU\Software' | sort >"$work/registry-before"

# The archive: runs where it is unpacked.
unzip -q "$packages/$name.zip" -d "$(inside .)"
portable="C:\\$name"
mkdir -p "$(inside reports)"
cp resources/sample.sqlite "$(inside reports/sample.sqlite)"
cp resources/sample.sqlite "$(inside "reports/Bericht ü 日本 1.sqlite")"
long="$(inside reports)"
for part in {1..12}; do long="$long/a_folder_with_a_long_name_$part"; done
mkdir -p "$long" && cp resources/sample.sqlite "$long/deep.sqlite"
deep='C:\reports'
for part in {1..12}; do deep="$deep\\a_folder_with_a_long_name_$part"; done

cli_says() { wine "$portable\\warpline-cli.exe" info --no-cache "$1" 2>/dev/null | grep -q kernels; }
try "warpline-cli.exe reads a report" cli_says 'C:\reports\sample.sqlite'
try "warpline-cli.exe reads a name outside of the code page" cli_says 'C:\reports\Bericht ü 日本 1.sqlite'
try "warpline-cli.exe reads a path of over 260 characters" cli_says "$deep\\deep.sqlite"
version_said() { wine "$portable\\warpline.exe" --version 2>/dev/null | grep -q "$version"; }
try "warpline.exe says its version" version_said

draws() { # NAME OPTION...
    wine "$portable\\warpline.exe" --screenshot "C:\\reports\\$1.png" "${@:2}" >/dev/null 2>&1
    cp "$(inside "reports/$1.png")" "$pictures/$1.png" && [[ "$(identify -format '%k' "$pictures/$1.png")" -gt 100 ]]
}
for theme in light dark; do
    for scale in 1 2; do
        try "draws $theme at ${scale}x" draws "offscreen-$theme-${scale}x" --theme "$theme" --scale "$scale" --size 1366x768 \
            'C:\reports\sample.sqlite'
    done
done

# The installer.
installs() { wine "$(winepath_of "$packages/$name-setup.exe")" /S && [[ -e "$(programs)/warpline.exe" ]]; }
winepath_of() { printf 'Z:%s' "${1//\//\\}"; }
try "installs without a question" installs
installed='%LOCALAPPDATA%\Programs\Warpline\warpline.exe'
try "has an entry in the list of programs" grep -q QuietUninstallString <(registry 'HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Warpline')
try "has an entry in the start menu" [ -e "$(inside "users/$user/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Warpline.lnk")" ]

opens_by_argument() {
    wine cmd /c "$installed" 'C:\reports\Bericht ü 日本 1.sqlite' >/dev/null 2>&1 &
    shown 'Bericht' 60 >/dev/null || return 1
    sleep 6
    picture window-argument
}
try "opens a report that is an argument" opens_by_argument
keys_work() { # zooming in changes what is drawn; the palette opens
    local window
    window="$(shown 'Bericht' 5)" || return 1
    xdotool windowfocus "$window" 2>/dev/null || true
    import -window "$window" "$work/before.png"
    xdotool mousemove --window "$window" 700 300 click 1 key w key w key w
    sleep 2
    import -window "$window" "$work/after.png"
    picture window-keys
    ! cmp -s "$work/before.png" "$work/after.png"
}
try "keys zoom" keys_work
close_window 'Bericht'

opens_by_double_click() { # what the shell does with a file of this ending
    wine start /unix "$(inside reports/sample.sqlite)" >/dev/null 2>&1 &
    shown 'sample' 60 >/dev/null || return 1
    sleep 4
    picture window-double-click
}
try "opens a report by its file type" opens_by_double_click
close_window 'sample'

restores() {
    wine cmd /c "$installed" >/dev/null 2>&1 &
    shown 'sample' 60 >/dev/null || return 1
    sleep 3
    picture window-restored
}
try "a bare start shows what was open" restores
close_window 'sample'

advises() { # a recording that is not exported: what to do is said, nothing ends
    printf 'no report' >"$(inside reports/run.nsys-rep)"
    wine "$portable\\warpline-cli.exe" info 'C:\reports\run.nsys-rep' 2>&1 | tr -d '\r' | grep -q 'nsys export'
}
try "a .nsys-rep is told how to be exported" advises

uninstalls() {
    wine cmd /c '%LOCALAPPDATA%\Programs\Warpline\uninstall.exe' /S >/dev/null 2>&1
    local tries=60
    while ((tries-- > 0)) && [[ -e "$(programs)" ]]; do sleep 0.5; done
    [[ ! -e "$(programs)" ]]
}
try "uninstalls" uninstalls
nothing_left() {
    find "$WINEPREFIX" -path '*users/*' | sort >"$work/files-after"
    registry 'HKCU\Software' | sort >"$work/registry-after"
    ! { comm -13 "$work/files-before" "$work/files-after"; comm -13 "$work/registry-before" "$work/registry-after"; } |
        grep -i warpline
}
try "leaves nothing" nothing_left
printf '%d passed, %d failed\n' "$passed" "$failed"
[[ $failed -eq 0 ]]
