#include "core/cache/report_key.h"

#include "core/base/file_wait.h"
#include "core/base/platform/platform.h"
#include "core/cache/archive.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <vector>

namespace warpline {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t endBytes = 64ULL * 1024;
constexpr std::uint64_t placeBytes = 4096;
constexpr std::uint64_t places = 64;

bool appendPart(std::ifstream& file, std::uint64_t from, std::uint64_t bytes, std::vector<char>& sample)
{
    const std::size_t before = sample.size();
    sample.resize(before + bytes);
    file.seekg(static_cast<std::streamoff>(from));
    file.read(sample.data() + before, static_cast<std::streamsize>(bytes));
    return file.good();
}

} // namespace

bool hasOpenChange(const std::string& path)
{
    return std::ranges::any_of(std::array{"-wal", "-journal"}, [&](const char* ending) {
        std::error_code error;
        const auto bytes = fs::file_size(platform::pathOf(path + ending), error);
        return !error && bytes > 0;
    });
}

std::optional<ReportKey> keyOf(const std::string& path)
{
    const FileWait wait(path);
    std::error_code error;
    const fs::path whole = fs::canonical(platform::pathOf(path), error);
    if (error || !fs::is_regular_file(whole, error) || hasOpenChange(path))
        return {};
    ReportKey key{.path = platform::utf8Of(whole),
        .bytes = fs::file_size(whole, error),
        .changed = static_cast<std::int64_t>(fs::last_write_time(whole, error).time_since_epoch().count())};
    std::ifstream file(whole, std::ios::binary);
    std::vector<char> sample;
    const std::uint64_t end = std::min(endBytes, key.bytes);
    bool read = file.good() && !error && appendPart(file, 0, end, sample)
        && appendPart(file, key.bytes - end, end, sample);
    for (std::uint64_t i = 1; read && key.bytes > 2 * endBytes && i < places; ++i)
        read = appendPart(file, (key.bytes - placeBytes) / places * i, placeBytes, sample);
    if (!read)
        return {};
    key.sample = hashOf(std::as_bytes(std::span(sample)));
    return key;
}

Result<void> unchangedOnDisk(const ReportInfo& info)
{
    const auto now = info.fileSample == 0 ? std::nullopt : keyOf(info.path);
    if (now && now->sample != info.fileSample)
        return Error{
            "file.replaced", "{path} changed on disk. Reload the report.", {{"path", Name{info.path}}}};
    return {};
}

} // namespace warpline
