#include "app/mcp/picture.h"

#include "core/base/platform/platform.h"
#include "core/base/stop.h"
#include "core/render/language.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

namespace warpline::cli {

namespace fs = std::filesystem;

namespace {

/// A temporary folder that is removed with its content.
class TemporaryFolder {
public:
    TemporaryFolder()
        : m_path(platform::makeTemporaryFolder())
    {
    }
    ~TemporaryFolder()
    {
        std::error_code ignored;
        if (!m_path.empty())
            fs::remove_all(m_path, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

/// The program with the window; empty: it is not there.
std::string windowProgram()
{
    const fs::path own = platform::programFile();
    std::error_code ignored;
    const fs::path beside = own.parent_path() / ("warpline" + own.extension().string());
    if (!own.empty() && fs::is_regular_file(beside, ignored))
        return platform::utf8Of(beside);
    return platform::programOnPath("warpline");
}

std::string contentAt(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

ToolAnswer pictureOfRange(Desk& desk, const ToolArguments& asked)
{
    constexpr std::int64_t usualWidth = 1200;
    constexpr std::int64_t usualHeight = 800;
    const std::string program = windowProgram();
    if (program.empty())
        return failedAnswer({"mcp.no_window",
            "Pictures need the program warpline, which is neither next to warpline-cli nor on the PATH. 'range' and 'events' answer in numbers."});
    const TemporaryFolder folder;
    const int said = platform::createNamelessFile();
    if (folder.path().empty() || said == platform::noFile)
        return failedAnswer({"mcp.no_temporary_file", "No temporary file can be created for the picture."});
    const fs::path target = folder.path() / "picture.png";
    std::vector<std::string> line{program, "--screenshot", platform::utf8Of(target), "--language",
        std::string(language().key),
        fmt::format("--size={}x{}", asked.whole("width", usualWidth), asked.whole("height", usualHeight))};
    if (asked.has("range"))
        line.push_back("--range=" + asked.text("range"));
    line.insert(line.end(), {"--", asked.text("report")});
    const std::optional<int> code = platform::runProgram(line, said, desk.stop());
    const std::string words = platform::contentOf(said);
    platform::closeFile(said);
    throwIfStopped(desk.stop());
    ToolAnswer answer;
    answer.picture = contentAt(target);
    if (code != 0 || answer.picture.empty())
        return failedAnswer({"mcp.no_picture",
            "{program} made no picture. Its messages are in the log of this server. {messages}",
            {{"program", Name{program}}, {"messages", Name{words}}}});
    answer.document = {{"file", asked.text("report")},
        {"range", asked.has("range") ? asked.text("range") : "all"}, {"bytes", answer.picture.size()}};
    return answer;
}

std::string base64Of(std::string_view bytes)
{
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const auto byteAt = [&](std::size_t place) {
            return place < bytes.size() ? static_cast<unsigned char>(bytes[place]) : 0U;
        };
        const unsigned three = byteAt(i) << 16U | byteAt(i + 1) << 8U | byteAt(i + 2);
        text += letters[three >> 18U & 63U];
        text += letters[three >> 12U & 63U];
        text += i + 1 < bytes.size() ? letters[three >> 6U & 63U] : '=';
        text += i + 2 < bytes.size() ? letters[three & 63U] : '=';
    }
    return text;
}

} // namespace warpline::cli
