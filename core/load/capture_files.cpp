#include "core/load/capture_files.h"

#include "core/base/platform/platform.h"
#include "core/load/report_files.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>

namespace warpline {

namespace {

namespace fs = std::filesystem;

/// `name` without ".json", ".json.gz" and so on; nothing: it has no such extension.
std::optional<std::string> traceStemOf(const std::string& name)
{
    for (const std::string_view ending : {".json.gz", ".json.xz", ".json.zst", ".json"}) {
        if (name.ends_with(ending))
            return name.substr(0, name.size() - ending.size());
    }
    return {};
}

bool isCaptureOf(std::string_view stem, std::string_view other)
{
    if (!other.starts_with(stem) || other.size() == stem.size())
        return false;
    const std::string_view added = other.substr(stem.size());
    return (added[0] == '.' || added[0] == '_' || added[0] == '-') && added.substr(1).starts_with("capture");
}

} // namespace

std::vector<std::string> captureFilesOf(const std::string& path)
{
    const fs::path file = platform::pathOf(path);
    const auto stem = traceStemOf(platform::utf8Of(file.filename()));
    std::vector<std::string> found;
    if (!stem)
        return found;
    std::error_code error;
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    for (fs::directory_iterator each(folder, error), end; !error && each != end; each.increment(error)) {
        std::error_code ignored;
        const auto other = traceStemOf(platform::utf8Of(each->path().filename()));
        if (other && isCaptureOf(*stem, *other) && each->is_regular_file(ignored))
            found.push_back(platform::utf8Of(each->path()));
    }
    std::ranges::sort(found, comesBefore);
    return found;
}

} // namespace warpline
