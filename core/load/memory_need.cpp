#include "core/load/memory_need.h"

#include "core/base/format.h"
#include "core/base/letter_case.h"
#include "core/base/message_names.h"
#include "core/base/platform/platform.h"
#include "core/base/read_real.h"
#include "core/base/shell_words.h"
#include "core/base/words.h"
#include "core/files/inflater.h"
#include "core/files/plain_file.h"
#include "core/sqlite/database.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

namespace warpline {

namespace {

constexpr std::uint64_t bytesInWindow = 110; ///< of a row: 112 of 16 million events, 34 of them the trace
constexpr std::uint64_t bytesOfRow = 45; ///< docs/performance.md: 44 of 31 million events
/// Bytes per byte of a trace's text: the result is a tenth of it, reading needs as much again. Text is
/// compressed 15 times.
constexpr double bytesOfText = 0.25;
constexpr double bytesOfPacked = 4;
constexpr std::uint64_t alwaysFits = std::uint64_t{256} << 20U;

/// The rows of a table by its first and last number; 0 where it numbers none.
std::uint64_t rowsOf(sqlite::Database& report, const std::string& table)
{
    const auto last = report.integer("SELECT max(rowid) FROM " + sqlite::quotedName(table));
    const auto first = report.integer("SELECT min(rowid) FROM " + sqlite::quotedName(table));
    if (!last.ok() || !first.ok() || !last.value() || !first.value() || *last.value() < *first.value())
        return 0;
    return static_cast<std::uint64_t>(*last.value()) - static_cast<std::uint64_t>(*first.value()) + 1;
}

TimeRange timesOf(sqlite::Database& report, const std::string& table)
{
    const auto at = [&](const char* order) {
        const auto time = report.integer(
            "SELECT start FROM " + sqlite::quotedName(table) + " ORDER BY rowid " + order + " LIMIT 1");
        return time.ok() ? time.value().value_or(0) : 0;
    };
    return {at("ASC"), at("DESC")};
}

MemoryNeed needOfExport(const std::string& path, MemoryUse use)
{
    MemoryNeed need;
    const auto file = sqlite::ReportFile::open(path);
    auto report = file.ok() ? sqlite::Database::open(file.value()) : Result<sqlite::Database>(file.error());
    const auto tables
        = report.ok() ? report.value().tables() : Result<std::vector<std::string>>(report.error());
    if (!tables.ok())
        return need;
    std::uint64_t largest = 0;
    for (const std::string& table : tables.value()) {
        if (table.starts_with("ENUM_")) // numbered far apart
            continue;
        const std::uint64_t rows = rowsOf(report.value(), table);
        need.rows += rows;
        if (rows > largest
            && report.value().integer("SELECT start FROM " + sqlite::quotedName(table) + " LIMIT 1").ok()) {
            largest = rows;
            need.session = timesOf(report.value(), table);
        }
    }
    need.firstWork = timesOf(report.value(), "CUPTI_ACTIVITY_KIND_KERNEL").start;
    // Row numbers of a table may have gaps: the file cannot hold more rows than fit into it.
    constexpr std::uint64_t minOfRow = 8;
    need.rows = std::min(need.rows, file.value().bytes() / minOfRow);
    need.bytes = need.rows * (use == MemoryUse::Window ? bytesInWindow : bytesOfRow);
    return need;
}

/// The bytes of "B", "K" to "T", also as "GB" or "GiB", in any case: powers of 1024; 0: it is no unit.
std::uint64_t bytesOfUnit(std::string_view unit)
{
    const std::string lower = foldedCase(unit);
    if (lower.empty() || lower == "b")
        return 1;
    const std::size_t power = std::string_view("kmgt").find(lower.front());
    constexpr std::array<std::string_view, 3> endings{"", "b", "ib"};
    if (power == std::string_view::npos
        || std::ranges::find(endings, std::string_view(lower).substr(1)) == endings.end())
        return 0;
    return std::uint64_t{1} << (10 * (power + 1));
}

/// "12G", "12 GiB"; 0: it is no size.
std::uint64_t sizeIn(std::string_view text)
{
    text = trimmed(text, " ");
    double number = 0;
    const auto read = readReal(text, number);
    const std::string_view unit = text.substr(static_cast<std::size_t>(read.ptr - text.data()));
    const double bytes = number * static_cast<double>(bytesOfUnit(trimmed(unit, " ")));
    constexpr double most = 0x1p62;
    return read.ec == std::errc() && bytes > 0 && bytes < most ? static_cast<std::uint64_t>(bytes) : 0;
}

bool isLimited()
{
    const auto limit = memoryLimit();
    return limit.ok() && limit.value() > 0;
}

bool fits(const MemoryNeed& need, std::uint64_t free)
{
    return free == 0 || need.bytes <= free || (need.bytes < alwaysFits && !isLimited());
}

TimeRange partOf(const MemoryNeed& need, std::uint64_t free)
{
    constexpr double spare = 0.8;
    return need.partWithin(static_cast<std::uint64_t>(static_cast<double>(free) * spare));
}

} // namespace

TimeRange MemoryNeed::partWithin(std::uint64_t most) const
{
    if (bytes <= most || session.empty())
        return session;
    const double share = static_cast<double>(most) / static_cast<double>(bytes);
    constexpr Ns grain = 1'000'000;
    const Ns start = std::clamp(firstWork, session.start, session.end); // most rows lie behind it
    const Ns length = static_cast<Ns>(static_cast<double>(session.end - start) * share);
    return {start, start + (length > grain ? length / grain * grain : length)};
}

MemoryNeed memoryNeed(const std::string& path, MemoryUse use)
{
    std::error_code error;
    const auto bytes = std::filesystem::file_size(platform::pathOf(path), error);
    if (error || isStream(path) || (bytes < alwaysFits / 8 && !isLimited()))
        return {};
    const std::string head = beginningOfText(path, 16);
    if (isSqliteDatabase(head))
        return needOfExport(path, use);
    if (const char first = firstSignOf(head); first != '{' && first != '[')
        return {};
    const auto file = platform::FileReader::open(platform::pathOf(path));
    std::string begin(16, '\0');
    const bool isPacked
        = file && file->readAt(0, begin.data(), begin.size()) == begin.size() && !packingOf(begin).empty();
    return {.bytes
        = static_cast<std::uint64_t>(static_cast<double>(bytes) * (isPacked ? bytesOfPacked : bytesOfText))
            * (use == MemoryUse::Window ? 2 : 1),
        .rows = 0,
        .session = {}};
}

Result<std::uint64_t> memoryLimit()
{
    const char* const wanted = std::getenv("WARPLINE_MEMORY");
    if (wanted == nullptr || *wanted == '\0')
        return std::uint64_t{0};
    if (const std::uint64_t limit = sizeIn(wanted); limit > 0)
        return limit;
    return Error{"memory.no_size",
        "WARPLINE_MEMORY={value} is not a size. Set it to a number with K, M, G or T, such as 12G.",
        {{"value", Name{wanted}}}};
}

std::uint64_t memoryForReports()
{
    const auto limit = memoryLimit();
    return limit.ok() && limit.value() > 0 ? limit.value() : platform::freeMemory();
}

bool mayAnalyze(const Trace& trace, TimeRange window)
{
    constexpr double bytesOfEvent = 36; // 31 of 31 million events, next to 34 of the trace
    const auto whole = static_cast<double>(std::max<Ns>(1, trace.session.duration()));
    const double share = std::clamp(static_cast<double>(window.duration()) / whole, 0.0, 1.0);
    MemoryNeed need;
    need.bytes = static_cast<std::uint64_t>(bytesOfEvent * share * static_cast<double>(trace.eventCount()));
    return fits(need, memoryForReports());
}

TimeRange partThatFits(const std::string& path, MemoryUse use)
{
    const MemoryNeed need = memoryNeed(path, use);
    const std::uint64_t free = memoryForReports();
    return fits(need, free) ? TimeRange() : partOf(need, free);
}

Result<void> fitsMemory(const std::string& path, MemoryUse use)
{
    return fitsMemory(path, memoryNeed(path, use));
}

Result<void> fitsMemory(const std::string& path, const MemoryNeed& need)
{
    if (const auto limit = memoryLimit(); !limit.ok())
        return limit.error();
    const std::uint64_t free = memoryForReports();
    if (fits(need, free))
        return {};
    const std::string bytes = formatBytes(need.bytes);
    Message text("memory.too_much",
        "{path} needs about {bytes} of memory{rows, plural, =0 {} other { for # rows}}, and {free} may be used.",
        {{"path", Name{path}}, {"bytes", Name{bytes}}, {"rows", Count{need.rows}},
            {"free", Name{formatBytes(free)}}});
    const TimeRange part = partOf(need, free);
    if (!part.empty())
        text += Message("memory.cut",
            "Open a part of it: warpline-cli cut --range {start}ns:{end}ns {path} part.sqlite.",
            {{"start", Ordinal{part.start}}, {"end", Ordinal{part.end}}, {"path", Name{shellQuoted(path)}}});
    const std::uint64_t gigabytes = need.bytes / (std::uint64_t{1} << 30U) + 1;
    return Error{text
        + Message("memory.anyway",
            "{cut, select, yes {Or close} other {Close}} other programs. To try it anyway, set WARPLINE_MEMORY to more, such as {gigabytes}G.",
            {{"cut", yesOrNo(!part.empty())}, {"gigabytes", Ordinal{static_cast<std::int64_t>(gigabytes)}}})};
}

} // namespace warpline
