#!/usr/bin/env bash
# Draws the pictures of "How to read a timeline" with the program itself: resources/reading/draw.sh build/release/bin/warpline
# Needs ImageMagick for cutting out the timeline.
set -euo pipefail
program="$1"
here="$(dirname "${BASH_SOURCE[0]}")"
report="$here/../../tests/data/reports/streams.sqlite"
export QT_QPA_PLATFORM=offscreen XDG_CONFIG_HOME="$(mktemp -d)"

draw() { # name, range, height of the part that is kept, height of the window
    local theme scale file
    for theme in light dark; do
        for scale in 1 2; do # Qt takes NAME@2x.png by itself where the screen has two pixels for one
            file="$here/$1$([[ $theme == light ]] || echo -dark)$([[ $scale == 1 ]] || echo @2x).png"
            QT_SCALE_FACTOR=$scale "$program" --no-cache --screenshot "$file" --size "1240x${4:-1100}" --theme "$theme" \
                --range "$2" "$report" 2>/dev/null
            convert "$file" -crop "$((912 * scale))x$(($3 * scale))+0+$((50 * scale))" +repage +dither -colors 96 "PNG8:$file"
        done
    done
}

draw whole 0.7s:1.05s 420
draw overlap 1004.8ms:1017.1ms 420
draw pageable 938ms:985ms 420
draw waits 1029ms:1030.2ms 620 1400
