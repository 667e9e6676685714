#include "core/load/recording.h"

#include "core/base/ascii_case.h"
#include "core/base/platform/platform.h"
#include "core/base/shell_words.h"
#include "core/cache/report_key.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace warpline {

bool isRecording(std::string_view path)
{
    const std::string ending = lowered(platform::utf8Of(platform::pathOf(path).extension()));
    return ending == ".nsys-rep" || ending == ".qdrep";
}

std::string installedNsys()
{
    if (std::string found = platform::programOnPath("nsys"); !found.empty())
        return found;
    const char* const programs = std::getenv("ProgramFiles");
    if (!programs || !*programs)
        return {};
    std::string newest;
    std::error_code ignored;
    for (const auto& version :
        std::filesystem::directory_iterator(platform::pathOf(programs) / "NVIDIA Corporation", ignored)) {
        const auto nsys = version.path() / "target-windows-x64" / "nsys.exe";
        if (std::filesystem::exists(nsys, ignored))
            newest = std::max(newest, platform::utf8Of(nsys));
    }
    return newest;
}

std::string exportCommandFor(std::string_view path)
{
    return fmt::format("nsys export --type sqlite --output {} {}",
        shellQuoted(platform::utf8Of(platform::pathOf(path).stem()) + ".sqlite"), shellQuoted(path));
}

std::string exportPathFor(const std::string& path)
{
    const auto folder = platform::userCacheFolder();
    const auto key = keyOf(path);
    if (folder.empty() || !key)
        return {};
    return platform::utf8Of(folder / "warpline" / "exports"
        / platform::pathOf(
            fmt::format("{}-{:x}-{:x}-{:x}.sqlite", platform::utf8Of(platform::pathOf(path).stem()),
                key->bytes, static_cast<std::uint64_t>(key->changed), key->sample)));
}

std::vector<std::string> exportArguments(
    const std::string& path, const std::string& target, std::string_view help)
{
    std::vector<std::string> arguments{
        "export", "--type", "sqlite", "--force-overwrite", "true", "--output", target};
    // An option that this nsys does not know would make it fail.
    for (const std::string_view option :
        {"--include-json=true", "--include-blobs=true", "--dynamic-tables=all"}) {
        if (help.find(option.substr(0, option.find('='))) != std::string_view::npos)
            arguments.emplace_back(option);
    }
    arguments.push_back(path);
    return arguments;
}

} // namespace warpline
