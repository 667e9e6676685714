#!/usr/bin/env bash
# Draws the PNGs beside the SVGs: the program and its packages use these, so neither needs an SVG library.
# Needs rsvg-convert, icotool and png2icns (Debian: librsvg2-bin, icoutils, icnsutils).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
for side in 16 22 24 32 48 64 96 128 256 512; do
    rsvg-convert --width "$side" --height "$side" --output "warpline-$side.png" warpline.svg
done
for drawing in *.svg; do # three times as large as shown: sharp on dense screens
    [[ "$drawing" == warpline.svg ]] || rsvg-convert --width 72 --height 72 --output "${drawing%.svg}.png" "$drawing"
done
icotool --create --output ../../packaging/windows/warpline.ico $(printf -- '--raw=warpline-%s.png ' 16 24 32 48 64 256)
png2icns ../../packaging/macos/warpline.icns $(printf -- 'warpline-%s.png ' 16 32 48 128 256 512) >/dev/null
