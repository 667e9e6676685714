# What a bare Debian 12 or Ubuntu 24.04 needs. Sourced by run.sh and test.sh.
# shellcheck shell=bash disable=SC2034
build_packages=(g++ cmake ninja-build pkg-config libsqlite3-dev libfmt-dev nlohmann-json3-dev libcli11-dev qt6-base-dev
    libqt6charts6-dev libqt6svg6-dev libgl-dev fonts-dejavu-core)
# Qt's platform plugins for X11 and Wayland come with libqt6gui6 and qt6-wayland; without a display none is needed.
run_packages=(qt6-qpa-plugins qt6-wayland libqt6svg6)
test_packages=(libbenchmark-dev sqlite3)
