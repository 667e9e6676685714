#pragma once

#include <string>
#include <string_view>

namespace warpline {

/// What --version and the About sheet say behind the program's name: "0.1.0 (commit 0123456789ab, Qt 6.4.2,
/// SQLite 3.40.1)". `qt` is the version of Qt that runs, empty in a program without it. There is no commit in
/// a program that was not built in a checkout; one of a checkout with changes ends in "-dirty".
std::string versionText(std::string_view qt = {});

} // namespace warpline
