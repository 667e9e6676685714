#include "core/base/config_file.h"

#include "core/base/platform/platform.h"
#include "core/base/words.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

namespace warpline {

std::string configPath(std::string_view name)
{
    const char* const config = std::getenv("XDG_CONFIG_HOME");
    if (config && *config == '/')
        return fmt::format("{}/warpline/{}", config, name);
    const char* const home = std::getenv("HOME");
    if (home && *home == '/')
        return fmt::format("{}/.config/warpline/{}", home, name);
    const char* const roaming = std::getenv("APPDATA"); // Windows
    return roaming && *roaming ? fmt::format("{}/warpline/{}", roaming, name) : std::string();
}

Result<std::string> readConfigFile(const std::string& path, Message content)
{
    std::ifstream file(platform::pathOf(path), std::ios::binary);
    // A folder can be opened, but reading its first byte fails.
    if (!file || (file.peek() == std::ifstream::traits_type::eof() && file.bad()))
        return Error{"config.unreadable", "{path} cannot be opened: name a file with {content}.",
            {{"path", Name{path}}, {"content", std::move(content)}}};
    return std::string{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string_view withoutMark(std::string_view text)
{
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    return text.substr(text.starts_with(mark) ? mark.size() : 0);
}

Result<void> readConfigLines(std::string_view text, std::string_view file,
    const std::function<Result<void>(std::string_view line, std::size_t number)>& readLine)
{
    text = withoutMark(text);
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::string_view line = trimmed(takeUpTo(text, "\n"));
        if (line.empty() || line.starts_with('#'))
            continue;
        if (const Result<void> done = readLine(line, number); !done.ok())
            return Error{"config.line", "{file}, line {line}: {problem}.",
                {{"file", Name{std::string(file)}}, {"line", Ordinal{static_cast<std::int64_t>(number)}},
                    {"problem", done.error().message}}};
    }
    return {};
}

} // namespace warpline
