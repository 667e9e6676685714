#!/usr/bin/env bash
# Draws the pictures of the README with the program itself:
#   resources/draw.sh build/release/bin/warpline [FOLDER WITH ddp_straggler_rank0.sqlite AND ddp_straggler_rank1.sqlite]
# The ranks' picture is left as it is where their reports are not named. Needs ImageMagick, which makes the files small.
set -euo pipefail
program="$1"
ranks="${2:-}"
here="$(dirname "${BASH_SOURCE[0]}")"
report="$here/../tests/data/reports/streams.sqlite"
export QT_QPA_PLATFORM=offscreen XDG_CONFIG_HOME="$(mktemp -d)"

draw() { # name, size, theme, panel, reports
    "$program" --no-cache --screenshot "$here/$1.png" --size "$2" --theme "$3" --panel "$4" "${@:5}" 2>/dev/null
    convert "$here/$1.png" +dither -colors 160 "PNG8:$here/$1.png"
}

draw screenshot 1366x768 light overview "$report"
draw screenshot-dark 1366x768 dark findings "$report"
[[ -z "$ranks" ]] || draw ranks 1500x900 light ranks "$ranks"/ddp_straggler_rank{0,1}.sqlite
