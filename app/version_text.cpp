#include "app/version_text.h"

#include "core/base/version.h"
#include "core/sqlite/database.h"

#include <fmt/format.h>

#include "commit.h" // made by commit.cmake at each build, so this file holds nothing else

namespace warpline {

std::string versionText(std::string_view qt)
{
    constexpr std::string_view commit = WARPLINE_COMMIT;
    std::string parts;
    if (!commit.empty())
        parts = fmt::format("commit {}, ", commit);
    if (!qt.empty())
        parts += fmt::format("Qt {}, ", qt);
    return fmt::format("{} ({}SQLite {})", programVersion(), parts, sqlite::version());
}

} // namespace warpline
