#!/usr/bin/env bash
# Tries what package.sh made as a stranger would, in a system with nothing installed: packaging/desk_test.sh SUITE PART...
#   SUITE  bookworm, trixie, noble: what debootstrap makes a bare root of (in WARPLINE_DESK, /var/tmp/warpline-desk, kept as
#          an archive). The key to Ubuntu's archive comes over https out of that archive where this system has none
#   PART   cli, portable, deb, rpm: of build/packages; run, test: the two scripts of the README, on a copy of the committed
#          files; same: makes there, in another folder, each kind that lies in build/packages, and they are equal; windows: makes
#          the packages for Windows there, with the Qt that this system built where it has one, and they are equal to those
#          in build/packages where these are
# Each part gets a fresh root (same goes on in that of run), is timed, and must open the bundled sample. Needs root, debootstrap and the package archive;
# packages that were fetched once are taken from /var/cache/warpline-desk. Xvfb and xwininfo are taken from this system.
set -euo pipefail
# shellcheck source=packaging/common.sh disable=SC1091
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

suite="${1:-}"
shift || true
case "$suite" in
bookworm | trixie) mirror=http://deb.debian.org/debian components=main ;;
noble) mirror=http://archive.ubuntu.com/ubuntu components=main,universe ;;
*)
    printf 'Usage: %s bookworm|trixie|noble cli|portable|deb|rpm|run|same|test|windows...\n' "$0"
    exit 2
    ;;
esac

work="${WARPLINE_DESK:-/var/tmp/warpline-desk}"
bare="$work/$suite.tar.gz"
root="$work/$suite-$$"
packages="$project/build/packages"
fetched="/var/cache/warpline-desk/$suite"
display=":$((100 + $$ % 900))"
mkdir -p "$work"
install_missing debootstrap xvfb x11-utils

# ubuntu_keys: prints where the keys of Ubuntu's archive are. Debian 12 has no package of them.
ubuntu_keys() {
    local keys=/usr/share/keyrings/ubuntu-archive-keyring.gpg archive=https://archive.ubuntu.com/ubuntu package
    if [[ ! -e "$keys" ]]; then
        install_missing curl >&2
        curl --fail --silent --show-error --output "$work/ubuntu.gz" "$archive/dists/$suite/main/binary-amd64/Packages.gz"
        package="$(zcat "$work/ubuntu.gz" | awk '/^Package: /{ ours = $2 == "ubuntu-keyring" } ours && /^Filename: /{ print $2 }')"
        curl --fail --silent --show-error --output "$work/ubuntu-keyring.deb" "$archive/$package"
        dpkg-deb --extract "$work/ubuntu-keyring.deb" "$work/ubuntu-keyring"
        keys="$work/ubuntu-keyring$keys"
    fi
    printf '%s\n' "$keys"
}

make_bare_root() {
    [[ ! -e "$bare" ]] || return 0
    say "Making a bare $suite"
    rm -rf "$root"
    local options=(--variant=minbase "--components=$components") script=() security="$mirror"
    if [[ "$mirror" == *ubuntu* ]]; then
        options+=(--keyring="$(ubuntu_keys)")
        [[ -e "/usr/share/debootstrap/scripts/$suite" ]] || script=(gutsy) # how all of Ubuntu's are made
    else
        security+=-security
    fi
    debootstrap "${options[@]}" "$suite" "$root" "$mirror" "${script[@]}" >"$work/$suite.log"
    # Like a user's system.
    printf "deb %s %s ${components//,/ }\n" "$mirror" "$suite" "$mirror" "$suite-updates" "$security" "$suite-security" \
        >"$root/etc/apt/sources.list"
    rm -f "$root"/var/cache/apt/archives/*.deb
    tar --create --gzip --file "$bare.part" --directory "$root" .
    mv "$bare.part" "$bare"
}

fresh_root() {
    remove_root
    mkdir -p "$root"
    tar --extract --file "$bare" --directory "$root"
    printf 'force-unsafe-io\n' >"$root/etc/dpkg/dpkg.cfg.d/desk-test" # nothing here must outlive a power cut
    cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
    mkdir -p "$root/desk" "$root/tmp/.X11-unix" "$root/var/cache/apt/archives" "$fetched"
    find "$fetched" -name '*.deb' -exec cp --reflink=auto --target-directory "$root/var/cache/apt/archives" {} +
    mount -t proc proc "$root/proc"
    mount --bind /tmp/.X11-unix "$root/tmp/.X11-unix"
}

# Fails when something stays mounted, so that files of this system are not removed with the root.
unmount_root() {
    local place
    for place in tmp/.X11-unix proc; do
        ! mountpoint --quiet "$root/$place" || umount "$root/$place" || return 1
    done
}

remove_root() {
    [[ ! -d "$root/var/cache/apt/archives" ]] ||
        find "$root/var/cache/apt/archives" -name '*.deb' -exec cp --no-clobber --target-directory "$fetched" {} +
    unmount_root && rm -rf "${root:?}"
}

# inside COMMAND...: in the root, without this session's variables.
bare_environment=(/usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive DISPLAY="$display")
inside() {
    chroot "$root" "${bare_environment[@]}" "$@"
}

# opens PROGRAM REPORT: the window comes up on the display and carries the report's name.
opens() {
    local begun=$SECONDS
    chroot "$root" "${bare_environment[@]}" "$@" >"$work/window.log" 2>&1 & # not a function: a signal must reach the program
    local window=$!
    while ! DISPLAY="$display" xwininfo -root -tree | grep -q "\"$(basename "$2") — Warpline\""; do
        if ! kill -0 "$window" 2>/dev/null || ((SECONDS - begun > 90)); then
            cat "$work/window.log"
            say "The window of $1 did not come up"
            return 1
        fi
        sleep 0.5
    done
    sleep 2
    [[ -z "$(command -v import)" ]] || DISPLAY="$display" import -window root "$work/$suite-$part.png"
    kill "$window"
    wait "$window" 2>/dev/null || true
    say "$1 shows $2 after $((SECONDS - begun)) s"
}

# shown_on_wayland PROGRAM REPORT: the window comes up in a compositor of this system that has no screen, where there is one.
shown_on_wayland() {
    if ! command -v weston >/dev/null; then
        say "No weston here: not tried under Wayland"
        return 0
    fi
    local rooms="$root/desk/wayland" status=0
    mkdir -p -m 700 "$rooms"
    XDG_RUNTIME_DIR="$rooms" weston --backend=headless-backend.so --socket=desk --width=1600 --height=1000 >"$work/weston.log" 2>&1 &
    local compositor=$!
    while [[ ! -S "$rooms/desk" ]] && kill -0 "$compositor"; do
        sleep 0.2
    done
    inside env -u DISPLAY XDG_RUNTIME_DIR=/desk/wayland WAYLAND_DISPLAY=desk WAYLAND_DEBUG=client QT_QPA_PLATFORM=wayland \
        "$1" --screenshot /desk/wayland.png "$2" 2>"$work/wayland.log" || status=1
    kill "$compositor"
    wait "$compositor" 2>/dev/null || true
    grep -q 'set_title.*— Warpline' "$work/wayland.log" || status=1
    grep -q 'set_app_id("io.github.warpline.Warpline")' "$work/wayland.log" || status=1
    [[ $status -eq 0 ]] || { tail -n 5 "$work/wayland.log" "$work/weston.log"; return 1; }
    cp "$root/desk/wayland.png" "$work/$suite-wayland.png"
    say "$1 has a window under Wayland"
}

try_cli() {
    install -m 755 "$packages/warpline-cli-$version-x86_64" "$root/desk/warpline-cli"
    cp "$project/resources/sample.sqlite" "$root/desk/"
    ! inside ldd /desk/warpline-cli || return 1
    inside /desk/warpline-cli --version
    inside /desk/warpline-cli analyze /desk/sample.sqlite | head -n 12
    inside /desk/warpline-cli stats --report cuda_gpu_kern_sum --format csv /desk/sample.sqlite | head -n 3
    parts_listed "$packages/warpline-cli-$version-x86_64.spdx.json"
}

try_portable() {
    tar --extract --file "$packages/Warpline-$version-x86_64.tar.gz" --directory "$root/desk" --strip-components=1
    inside /desk/bin/warpline --version
    parts_listed "$root/desk/share/doc/warpline/warpline.spdx.json"
    inside /desk/bin/warpline-cli info /desk/share/warpline/sample.sqlite | head -n 3
    inside /desk/bin/warpline --screenshot /desk/sample.png /desk/share/warpline/sample.sqlite
    opens /desk/bin/warpline /desk/share/warpline/sample.sqlite
    shown_on_wayland /desk/bin/warpline /desk/share/warpline/sample.sqlite
    cp "$root/desk/sample.png" "$work/$suite-portable-offscreen.png"
}

# all_files: all files in the root except the package manager's own.
all_files() {
    find "$root" -xdev \( -path "$root/var/cache" -o -path "$root/var/lib" -o -path "$root/var/log" -o -path "$root/proc" \
        -o -path "$root/tmp" -o -path "$root/desk" -o -path "$root/root" \) -prune -o ! -type d -printf '/%P\n' | sort
}

# none_left FILE: all files listed in FILE are gone.
none_left() {
    local file
    while read -r file; do
        [[ ! -e "$root$file" ]] || { say "$file was left behind"; return 1; }
    done <"$1"
    say "$(wc -l <"$1") files came and went"
}

try_deb() {
    local package
    package="warpline_$version-1_amd64.deb"
    [[ -z "$(command -v lintian)" ]] || lintian --fail-on error "$packages/$package"
    cp "$packages/$package" "$root/desk/"
    all_files >"$work/before"
    inside apt-get -qq update
    inside apt-get -qq -y --no-install-recommends install "/desk/$package" >"$work/$suite-deb.log" 2>&1
    inside apt-get -qq -y --no-install-recommends install fonts-dejavu-core >>"$work/$suite-deb.log" 2>&1
    inside warpline --version
    parts_listed "$root/usr/share/doc/warpline/warpline.spdx.json"
    inside env -u DISPLAY QT_QPA_PLATFORM=offscreen warpline --screenshot /desk/sample.png /usr/share/warpline/sample.sqlite
    cp "$root/desk/sample.png" "$work/$suite-deb-offscreen.png"
    opens warpline /usr/share/warpline/sample.sqlite
    inside dpkg --verify warpline
    inside dpkg --listfiles warpline | while read -r file; do
        [[ -f "$root$file" ]] && printf '%s\n' "$file"
    done >"$work/files"
    inside apt-get -qq -y purge warpline >>"$work/$suite-deb.log" 2>&1
    none_left "$work/files"
    ! inside dpkg-query --show warpline 2>/dev/null || return 1
    inside apt-get -qq -y purge --auto-remove fonts-dejavu-core >>"$work/$suite-deb.log" 2>&1
    all_files >"$work/after"
    say "Files that were not there before, once its libraries are gone too:"
    comm -13 "$work/before" "$work/after"
}

# No RPM-based system can be created here: the package is installed into this one by hand.
try_rpm() {
    local package
    package="warpline-$version-1.x86_64.rpm"
    cp "$packages/$package" "$root/desk/"
    inside apt-get -qq update
    inside apt-get -qq -y --no-install-recommends install rpm fonts-dejavu-core >"$work/$suite-rpm.log" 2>&1
    inside apt-get -qq -y --no-install-recommends satisfy "$(dpkg-deb --field "$packages/warpline_$version-1_amd64.deb" Depends)" \
        >>"$work/$suite-rpm.log" 2>&1
    inside rpm --query --requires --package "/desk/$package"
    inside rpm --force-debian --install --nodeps "/desk/$package"
    inside rpm --verify --nodeps warpline
    parts_listed "$root/usr/share/doc/warpline/warpline.spdx.json"
    opens warpline /usr/share/warpline/sample.sqlite
    inside rpm --query --list warpline | while read -r file; do
        [[ -f "$root$file" ]] && printf '%s\n' "$file"
    done >"$work/files"
    inside rpm --force-debian --erase warpline
    none_left "$work/files"
}

copy_source() {
    git -C "$project" archive --prefix=desk/warpline/ HEAD | tar --extract --directory "$root"
}

try_run() {
    copy_source
    inside env -u DISPLAY /desk/warpline/packaging/run.sh >"$work/$suite-run.log" 2>&1 || { tail -n 20 "$work/$suite-run.log"; return 1; }
    tail -n 4 "$work/$suite-run.log"
    cp "$root/desk/warpline/build/warpline.png" "$work/$suite-run.png"
}

try_same() {
    [[ -e "$root/desk/warpline" ]] || copy_source
    local kinds=() kind ending file differing=0
    for kind in cli:-x86_64 portable:.tar.gz deb:.deb rpm:.rpm; do
        ending="${kind#*:}"
        ! compgen -G "$packages/*$ending" >/dev/null || kinds+=("${kind%%:*}")
    done
    inside env -u DISPLAY WARPLINE_BUILD=build/release /desk/warpline/packaging/package.sh "${kinds[@]}" >"$work/$suite-same.log" 2>&1 ||
        { tail -n 20 "$work/$suite-same.log"; return 1; }
    for file in "$packages"/*; do
        if cmp "$file" "$root/desk/warpline/build/packages/$(basename "$file")"; then
            say "$(basename "$file") is the same: $(sha256sum <"$file" | cut -c1-16)..."
        else
            differing=1
        fi
    done
    mkdir -p "$work/$suite-packages"
    cp "$root"/desk/warpline/build/packages/* "$work/$suite-packages/"
    return "$differing"
}

try_windows() {
    # shellcheck source=packaging/windows/libraries.sh disable=SC1091
    source "$project/packaging/windows/libraries.sh"
    copy_source
    local qt file differing=0
    for qt in "$windows_cache"/qt-*/lib/cmake/Qt6/Qt6Config.cmake; do
        [[ -e "$qt" ]] || continue
        qt="${qt%/lib/cmake/*}"
        mkdir -p "$root/root/.cache/warpline-windows"
        cp -r "$qt" "$root/root/.cache/warpline-windows/"
        say "Qt is not built there: it is given $(basename "$qt")"
    done
    inside env -u DISPLAY /desk/warpline/packaging/package.sh windows >"$work/$suite-windows.log" 2>&1 ||
        { tail -n 20 "$work/$suite-windows.log"; return 1; }
    for file in "$root"/desk/warpline/build/packages/*windows*; do
        say "$(basename "$file"): $(stat -c %s "$file") bytes, $(sha256sum <"$file" | cut -c1-16)..."
        [[ ! -e "$packages/$(basename "$file")" ]] || cmp "$file" "$packages/$(basename "$file")" || differing=1
    done
    return "$differing"
}

try_test() {
    copy_source
    inside env -u DISPLAY /desk/warpline/packaging/test.sh >"$work/$suite-test.log" 2>&1 || { tail -n 40 "$work/$suite-test.log"; return 1; }
    tail -n 1 "$work/$suite-test.log"
}

mkdir -p /tmp/.X11-unix
make_bare_root
Xvfb "$display" -screen 0 1600x1000x24 >/dev/null 2>&1 &
server=$!
trap 'kill $server; remove_root' EXIT
sleep 1
status=0
previous=""
for part in "$@"; do
    [[ "$previous $part" == "run same" ]] || fresh_root
    previous="$part"
    say "$suite: $part"
    begun=$SECONDS
    ("try_$part") & # not as a condition: there bash would go on after a failure
    if wait $!; then
        say "$suite: $part took $((SECONDS - begun)) s"
    else
        say "$suite: $part FAILED"
        status=1
    fi
done
exit "$status"
