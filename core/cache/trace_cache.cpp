#include "core/cache/trace_cache.h"

#include "core/base/moment.h"
#include "core/base/pending_file.h"
#include "core/base/platform/platform.h"
#include "core/cache/archive.h"
#include "core/cache/report_key.h"
#include "core/cache/trace_archive.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

namespace warpline {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".trace";
constexpr std::uint64_t spareBytes = 1ULL << 30U; ///< is left free on the disk

fs::path fileFor(const std::string& folder, const ReportKey& key)
{
    const std::uint64_t name = hashOf(std::as_bytes(std::span(key.path)));
    return platform::pathOf(folder) / fmt::format("{:016x}{}", name, ending);
}

struct KeptFile {
    fs::path path;
    std::uint64_t bytes = 0;
    fs::file_time_type used;
};

/// The cached traces and results, least recently used first.
std::vector<KeptFile> keptFiles(const std::string& folder)
{
    std::vector<KeptFile> files;
    std::error_code error;
    for (fs::directory_iterator at(platform::pathOf(folder), error), end; !error && at != end;
         at.increment(error)) {
        std::error_code gone; // another window may be clearing up, too
        const std::string extension = at->path().extension().string();
        if (extension != ending && extension != ".answer") // see KeptAnswers
            continue;
        const KeptFile file{at->path(), at->file_size(gone), at->last_write_time(gone)};
        if (!gone)
            files.push_back(file);
    }
    std::ranges::sort(files, {}, &KeptFile::used);
    return files;
}

std::uint64_t totalOf(const std::vector<KeptFile>& files)
{
    std::uint64_t bytes = 0;
    for (const KeptFile& file : files)
        bytes += file.bytes;
    return bytes;
}

/// The size of the file of `trace`, estimated upward.
std::uint64_t expectedBytes(const Trace& trace)
{
    std::uint64_t bytes = 1 << 20U;
    for (const auto& table : trace.tables)
        bytes += table->memoryBytes() + 4 * table->size();
    for (const CounterSeries& series : trace.counters)
        bytes += 13 * series.size();
    return bytes;
}

void makeRoom(const std::string& folder, std::uint64_t bytes, std::uint64_t most)
{
    removeLeftParts(platform::pathOf(folder));
    std::vector<KeptFile> files = keptFiles(folder);
    std::uint64_t total = totalOf(files);
    for (const KeptFile& file : files) {
        if (total + bytes <= most)
            return;
        std::error_code error;
        if (fs::remove(file.path, error))
            total -= file.bytes;
    }
}

} // namespace

std::string defaultCacheFolder()
{
    const fs::path folder = platform::userCacheFolder();
    return folder.empty() ? std::string() : platform::utf8Of(folder / "warpline" / "traces");
}

std::shared_ptr<const Trace> findTrace(const std::string& folder, const std::string& path, unsigned threads,
    const std::function<void(std::shared_ptr<const Trace>)>& snapshot, const std::stop_token& stop)
{
    constexpr std::chrono::seconds patience{2}; // with a cache that is only there to be faster
    const auto isFolder = [folder] {
        std::error_code error;
        return fs::is_directory(platform::pathOf(folder), error);
    };
    if (folder.empty() || !withinAMoment(isFolder, patience).value_or(false))
        return nullptr;
    const auto key = keyOf(path);
    if (!key)
        return nullptr;
    const fs::path file = fileFor(folder, *key);
    const auto isKept = [file, key] { return isTraceOf(platform::utf8Of(file), *key); };
    if (!withinAMoment(isKept, patience).value_or(false))
        return nullptr;
    auto trace = readTrace(platform::utf8Of(file), *key, threads, snapshot, stop);
    if (!trace)
        return nullptr;
    withinAMoment(
        [file] { // mark as recently used
            std::error_code error;
            fs::last_write_time(file, fs::file_time_type::clock::now(), error);
            return !error;
        },
        patience);
    if (trace->info.path == path)
        return trace;
    auto named = std::make_shared<Trace>(*trace); // the same file, by another name
    named->info.path = path;
    return named;
}

bool keepTrace(const std::string& folder, const ReportKey& key, const Trace& trace, const CacheLimits& limits,
    std::stop_token stop)
{
    if (folder.empty() || !trace.complete || trace.eventCount() < limits.leastEvents)
        return false;
    const std::uint64_t bytes = expectedBytes(trace);
    std::error_code error;
    makePrivateFolder(platform::pathOf(folder), error);
    if (keyOf(key.path) != key || bytes > limits.mostBytes || error)
        return false;
    const fs::path file = fileFor(folder, key);
    if (isTraceOf(platform::utf8Of(file), key))
        return false;
    const auto space = fs::space(platform::pathOf(folder), error);
    if (error || space.available < bytes + spareBytes)
        return false;
    makeRoom(folder, bytes, limits.mostBytes);
    PendingFile unfinished(platform::utf8Of(file));
    if (!writeTrace(trace, key, unfinished.part(), std::move(stop)))
        return false;
    return keyOf(key.path) == key && unfinished.keep().ok(); // else it was changed while we wrote
}

std::uint64_t clearCache(const std::string& folder)
{
    std::uint64_t freed = 0;
    removeLeftParts(platform::pathOf(folder));
    for (const KeptFile& file : keptFiles(folder)) {
        std::error_code error;
        if (fs::remove(file.path, error))
            freed += file.bytes;
    }
    return freed;
}

std::uint64_t cacheBytes(const std::string& folder)
{
    return totalOf(keptFiles(folder));
}

} // namespace warpline
