#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace warpline {

class Trace;

/// Reports with fewer events than this are read in about a second, of which a kept trace would save most:
/// less than writing it and the room it takes are worth.
inline constexpr std::uint64_t minEventsKept = 10'000'000;

/// What the folder may hold.
struct CacheLimits {
    std::uint64_t leastEvents = minEventsKept; ///< of a report that is kept
    std::uint64_t mostBytes = 8ULL << 30U; ///< of all kept traces; those not used for longest go first
};

/// The folder for kept traces in the user's cache folder (see platform::userCacheFolder()); empty when the
/// user has none. It need not exist.
std::string defaultCacheFolder();

/// The kept trace of the report at `path`, when it is of the report as it is now; else null. See readTrace().
std::shared_ptr<const Trace> findTrace(const std::string& folder, const std::string& path, unsigned threads,
    const std::function<void(std::shared_ptr<const Trace>)>& snapshot = {}, const std::stop_token& stop = {});

/// Keeps `trace`, read from the report at `path`, for the next time, and makes room for it. Returns whether
/// it is kept: not when it is small, is kept already, has no room on the disk, or cannot be written. Nobody
/// ever sees half a file: it gets its name when it is whole.
bool keepTrace(const std::string& folder, const std::string& path, const Trace& trace,
    const CacheLimits& limits = {}, std::stop_token stop = {});

/// Removes all kept traces and answers. Returns the bytes that were freed.
std::uint64_t clearCache(const std::string& folder);
/// Bytes of all kept traces and answers.
std::uint64_t cacheBytes(const std::string& folder);

} // namespace warpline
