#!/usr/bin/env bash
# Tries the packages for Windows as a stranger would, under wine and on a display of its own: packaging/windows/desk_test.sh
# Needs what packaging/package.sh windows made. Pictures come to build/packages/desk-windows. The last line is
# "N passed, N failed". Wine is not Windows: fonts, file dialogs and the shell are wine's. Wine 8 does not look at a user's own
# types of files, so those that the installer registers are copied to the machine's before a double click is tried.
set -euo pipefail
# shellcheck source=packaging/common.sh disable=SC1091
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
cd "$project"
install_missing wine wine64 xvfb xdotool xclip imagemagick unzip qt6-base-dev g++ pkg-config fonts-dejavu-core fonts-wqy-microhei

packages="${WARPLINE_PACKAGES:-$project/build/packages}"
name="Warpline-$version-windows-x86_64"
pictures="$packages/desk-windows"
work="$(mktemp -d)"
export WINEPREFIX="$work/wine" WINEDEBUG=-all LC_ALL=C.UTF-8
export WINEDLLOVERRIDES="mscoree,mshtml=;winemenubuilder.exe=d" # the last writes into the menus of this system
unset WAYLAND_DISPLAY
rm -rf "$pictures"
mkdir -p "$pictures"
passed=0
failed=0
display=":$((200 + $$ % 700))"
Xvfb "$display" -screen 0 1600x1000x24 >/dev/null 2>&1 &
server=$!
export DISPLAY="$display"
cleanup() {
    wineserver -k 2>/dev/null || true
    kill "$server" 2>/dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT

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
        [[ -n "$(xdotool search --onlyvisible --name "$1" 2>/dev/null)" ]] || return 0
        sleep 0.5
    done
    return 1
}
picture() { import -window root "$pictures/$1.png"; }
start() { QT_FORCE_STDERR_LOGGING=1 wine "$@" >/dev/null 2>>"$work/warnings" & }
settled() { # TITLE: its window, once what it draws stays the same for a second
    local window before="" now
    window="$(shown "$1" 60)" || return 1
    for _ in {1..60}; do
        now="$(import -window "$window" rgb:- 2>/dev/null | sha256sum)"
        [[ "$now" != "$before" ]] || { printf '%s\n' "$window"; return 0; }
        before="$now"
        sleep 1
    done
    return 1
}
# activate WINDOW: clicks into the empty part of the menu bar. Without a window manager wine does not notice X's focus, and keys
# are lost after another program was in front.
activate() { xdotool windowfocus "$1" mousemove --window "$1" 700 10 click 1 sleep 0.5 2>/dev/null || true; }
close_window() { # TITLE: as Alt+F4 does
    local window
    window="$(xdotool search --onlyvisible --name "$1" 2>/dev/null | head -1)"
    [[ -n "$window" ]] || return 1
    activate "$window"
    xdotool key --clearmodifiers alt+F4
    gone "$1" 20 && return 0
    wineserver -k
    return 1
}
registry() { wine reg query "$1" /s 2>/dev/null | tr -d '\r'; }
inside() { printf '%s/drive_c/%s' "$WINEPREFIX" "$1"; }
# dark PICTURE: whether most of it is.
dark() { [[ "$(convert "$1" -colorspace Gray -format '%[fx:mean<0.35]' info:)" == 1 ]]; }

say "Making a folder for wine"
wine wineboot --init >/dev/null 2>&1 || true
# Wine has no fonts of its own, and names a missing one as the desktop's. Windows has both: Segoe UI, and others for Chinese and
# Japanese letters.
cp /usr/share/fonts/truetype/dejavu/*.ttf /usr/share/fonts/truetype/wqy/wqy-microhei.ttc "$(inside windows/Fonts)/"
for font in MessageFont MenuFont StatusFont; do # a LOGFONTW: 12 pixels high, weight 400
    face="$(printf 'DejaVu Sans' | iconv -t UTF-16LE | od -An -v -tx1 | tr -d ' \n')"
    face="$(printf '%-184s' "f4ffffff000000000000000000000000900100000000000000000022$face" | tr ' ' 0)"
    wine reg add 'HKCU\Control Panel\Desktop\WindowMetrics' /v "$font" /t REG_BINARY /d "$face" /f >/dev/null 2>&1
done
wineserver -w
user="$(id -un)"
programs="$(inside "users/$user/AppData/Local/Programs/Warpline")"
installed="C:\\users\\$user\\AppData\\Local\\Programs\\Warpline\\warpline.exe"
find "$WINEPREFIX" -path '*users/*' | sort >"$work/files-before"
registry 'HKCU\Software' | sort >"$work/registry-before"

# The archive: runs where it is unpacked.
unzip -q "$packages/$name.zip" -d "$(inside .)"
portable="C:\\$name"
try "the parts are listed" parts_listed "$(inside "$name/warpline.spdx.json")"
odd='Bericht ü 日本 1.sqlite'
mkdir -p "$(inside reports)"
cp resources/sample.sqlite "$(inside reports/sample.sqlite)"
cp resources/sample.sqlite "$(inside "reports/$odd")"
cp resources/sample.sqlite "$(inside reports/dropped.sqlite)"
long="$(inside reports)"
deep='C:\reports'
for part in {1..12}; do
    long="$long/a_folder_with_a_long_name_$part"
    deep="$deep\\a_folder_with_a_long_name_$part"
done
mkdir -p "$long" && cp resources/sample.sqlite "$long/deep.sqlite"
printf 'no report' >"$(inside reports/run.nsys-rep)"

reads() { wine "$portable\\warpline-cli.exe" info --no-cache "$1" 2>/dev/null | grep -i '^kernel ' >/dev/null; }
try "warpline-cli.exe reads a report" reads 'C:\reports\sample.sqlite'
try "warpline-cli.exe reads a name outside of the code page" reads "C:\\reports\\$odd"
try "warpline-cli.exe reads a path of over 260 characters" reads "$deep\\deep.sqlite"
tells_version() { # in a box, as no console called it
    start "$portable\\warpline.exe" --version
    local box
    box="$(shown '[Ww]arpline' 60)" || return 1
    picture version
    xdotool windowfocus "$box" key Return
    gone '[Ww]arpline' 20
}
try "warpline.exe shows its version" tells_version
advises() { { wine "$portable\\warpline-cli.exe" info 'C:\reports\run.nsys-rep' 2>&1 || true; } | grep 'nsys export' >/dev/null; }
try "a .nsys-rep is answered with how to export it" advises

draws() { # THEME SCALE
    local file="offscreen-$1-${2}x.png"
    timeout 120 wine "$portable\\warpline.exe" --screenshot "C:\\reports\\$file" --theme "$1" --scale "$2" \
        --size 1366x768 'C:\reports\sample.sqlite' \
        >/dev/null 2>>"$work/warnings" || return 1
    cp "$(inside "reports/$file")" "$pictures/" || return 1
    [[ "$(identify -format '%wx%h' "$pictures/$file")" == "$((1366 * $2))x$((768 * $2))" ]] || return 1
    [[ "$(identify -format '%k' "$pictures/$file")" -gt 100 ]] || return 1
    if [[ "$1" == dark ]]; then dark "$pictures/$file"; else ! dark "$pictures/$file"; fi
}
for theme in light dark; do
    for scale in 1 2; do
        try "a picture: $theme at ${scale}x" draws "$theme" "$scale"
    done
done

# The installer.
installs() { wine "$packages/$name-setup.exe" /S >/dev/null 2>&1 && [[ -e "$programs/warpline.exe" ]]; }
in_list() { registry 'HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Warpline' | grep QuietUninstallString >/dev/null; }
in_menu() { [[ -e "$(inside "users/$user/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Warpline.lnk")" ]]; }
try "installs without a question" installs
try "has an entry in the list of programs" in_list
try "has an entry in the start menu" in_menu

opens_by_argument() {
    start "$installed" "C:\\reports\\$odd"
    settled Bericht >/dev/null && picture window-argument
}
# apart A B: how many hundredths of the pixels differ.
apart() { compare -metric AE -fuzz 5% "$1" "$2" null: 2>&1 | awk -v all="$(identify -format '%[fx:w*h]' "$1")" '{ print int(100 * $1 / all) }'; }
keys_work() { # zooming in changes what is drawn, and showing the whole report brings it back
    local window
    window="$(settled Bericht)" || return 1
    xdotool windowfocus "$window" mousemove --window "$window" 500 350 click 1 key 0 mousemove --window "$window" 700 10
    window="$(settled Bericht)" && import -window "$window" "$work/before.png"
    xdotool key w key w key w
    window="$(settled Bericht)" && import -window "$window" "$work/zoomed.png"
    picture window-keys
    xdotool key 0
    window="$(settled Bericht)" && import -window "$window" "$work/after.png"
    say "zoomed: $(apart "$work/before.png" "$work/zoomed.png")% of the pixels differ, back: $(apart "$work/before.png" "$work/after.png")%"
    (($(apart "$work/before.png" "$work/zoomed.png") >= 3 && $(apart "$work/before.png" "$work/after.png") < 1))
}
takes_a_drop() {
    local window source
    window="$(settled Bericht)" || return 1
    # shellcheck disable=SC2046
    g++ -fPIC -o "$work/drag_source" packaging/windows/drag_source.cpp $(pkg-config --cflags --libs Qt6Widgets) || return 1
    QT_QPA_PLATFORM=xcb "$work/drag_source" "$(inside reports/dropped.sqlite)" >/dev/null 2>&1 &
    source=$!
    shown 'Drag source' 20 >/dev/null || return 1
    sleep 1
    xdotool mousemove 1480 940 mousedown 1 sleep 0.3 mousemove 1450 920 sleep 0.3 mousemove 1200 800 sleep 0.3 \
        mousemove 900 600 sleep 0.5 mousemove 800 500 sleep 1 mouseup 1
    sleep 3
    picture window-drop
    kill "$source"
    shown dropped 30 >/dev/null
}
try "opens a report that is an argument" opens_by_argument
try "keys zoom" keys_work
try "opens a report that is dropped onto it" takes_a_drop
try "closes" close_window Warpline
remembers() { registry 'HKCU\Software\warpline' | grep geometry >/dev/null; } # not -q: a pipe that is closed early counts as failed
try "keeps its settings" remembers

opens_by_double_click() { # what the shell does with a file of this ending
    wine reg copy 'HKCU\Software\Classes' 'HKLM\Software\Classes' /s /f >/dev/null 2>&1
    start start 'C:\reports\sample.sqlite'
    settled sample >/dev/null && picture window-double-click
}
restores() { # and follows the settings: dark, on a dense screen
    wine reg add 'HKCU\Software\warpline\warpline' /v theme /d dark /f >/dev/null 2>&1
    wine reg add 'HKCU\Control Panel\Desktop' /v LogPixels /t REG_DWORD /d 192 /f >/dev/null 2>&1
    wineserver -w
    start "$installed"
    settled sample >/dev/null && picture window-restored-dark-2x && dark "$pictures/window-restored-dark-2x.png"
}
try "opens a report by its file type" opens_by_double_click
try "closes again" close_window Warpline
try "a bare start shows what was open, dark, at 2x" restores
try "closes once more" close_window Warpline
advises_in_window() { # the first button of the red bar copies the command, which a terminal can paste
    local window bar width height x y
    start "$installed" --fresh 'C:\reports\run.nsys-rep'
    window="$(settled Warpline)" || return 1
    picture window-nsys-rep
    bar="$(convert "$pictures/window-nsys-rep.png" -fuzz 8% -fill white -opaque '#8e2f22' -fill black +opaque white -trim -format '%w %h %X %Y' info:)"
    read -r width height x y <<<"${bar//+/}"
    activate "$window"
    printf 'nothing' | xclip -selection clipboard
    for ((x = x + width / 2; x < 1500; x += 30)); do
        xdotool mousemove "$x" "$((y + height / 2))" click 1 sleep 0.5
        [[ "$(timeout 10 xclip -selection clipboard -o 2>/dev/null)" != *'nsys export --type sqlite'*run.nsys-rep* ]] || return 0
    done
    return 1
}
try "the window tells how to export a .nsys-rep, and copies the command" advises_in_window
try "closes at last" close_window Warpline
says_nothing() { # warnings of Qt or the program
    tr -d '\r' <"$work/warnings" | sed '/^wine: /d' | sort | uniq -c | tee "$work/said"
    [[ ! -s "$work/said" ]]
}
try "prints no warning" says_nothing

uninstalls() {
    wine "${installed%warpline.exe}uninstall.exe" /S >/dev/null 2>&1
    local tries=60
    while ((tries-- > 0)) && [[ -e "$programs" ]]; do sleep 0.5; done
    [[ ! -e "$programs" ]]
}
leaves_nothing() {
    find "$WINEPREFIX" -path '*users/*' | sort >"$work/files-after"
    registry 'HKCU\Software' | sort >"$work/registry-after"
    # Except Windows' own records about started programs.
    ! { comm -13 "$work/files-before" "$work/files-after"; comm -13 "$work/registry-before" "$work/registry-after"; } |
        grep -v 'wine-Programs\|Explorer\|applications/wine' | grep -i 'warpline\|nsys-rep\|sqlite'
}
try "uninstalls" uninstalls
try "leaves nothing" leaves_nothing
say "Pictures are in $pictures"
printf '%d passed, %d failed\n' "$passed" "$failed"
[[ $failed -eq 0 ]]
