#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace warpline {

class Trace;
struct ReportKey;

/// Smaller reports are read in about a second: caching them is not worth the writing and the space.
inline constexpr std::uint64_t minEventsKept = 10'000'000;

/// Limits of the folder.
struct CacheLimits {
    std::uint64_t leastEvents = minEventsKept; ///< events of a report that is cached
    std::uint64_t mostBytes = 8ULL << 30U; ///< bytes of all cached traces; the least recently used are
                                           ///< removed first
};

/// The folder for cached traces in the user's cache folder (see platform::userCacheFolder()); empty when
/// there is none. It need not exist.
std::string defaultCacheFolder();

/// The cached trace of the report at `path` in its current state; else null, as where the disk of the cache
/// does not answer soon. See readTrace().
std::shared_ptr<const Trace> findTrace(const std::string& folder, const std::string& path, unsigned threads,
    const std::function<void(std::shared_ptr<const Trace>)>& snapshot = {}, const std::stop_token& stop = {});

/// Caches `trace`, read from the report whose key was `key` before that, and makes room for it. False when it
/// is small, is cached already, has changed since, has no room on the disk, or cannot be written. A file gets
/// its name when it is complete, so that nobody reads a partial one.
bool keepTrace(const std::string& folder, const ReportKey& key, const Trace& trace,
    const CacheLimits& limits = {}, std::stop_token stop = {});

/// Removes all cached traces and results. Returns the freed bytes.
std::uint64_t clearCache(const std::string& folder);
/// Bytes of all cached traces and results.
std::uint64_t cacheBytes(const std::string& folder);

} // namespace warpline
