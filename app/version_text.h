#pragma once

#include <string>
#include <string_view>

namespace warpline {

/// The version in --version and the About dialog: "0.1.0 (commit 0123456789ab, Qt 6.4.2, SQLite 3.40.1)".
/// `qt` is the running version of Qt, empty in a program without it. Without a commit when not built in a
/// checkout; with "-dirty" for a checkout with changes.
std::string versionText(std::string_view qt = {});

} // namespace warpline
