#pragma once

#include "core/base/message.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>

namespace warpline {

/// How far loading is. `rowsTotal` is known before the first row is read.
struct LoadProgress {
    std::uint64_t rowsRead = 0;
    std::uint64_t rowsTotal = 0;
    Message stage; ///< "Reading CUDA kernels"
};

/// Counts rows read by all threads and passes them on, throttled here and nowhere else.
class Progress {
public:
    Progress(std::uint64_t rowsTotal, std::function<void(const LoadProgress&)> listener);

    void setStage(Message stage);
    /// Adds rows read. Cheap; thread-safe.
    void add(std::uint64_t rows);

private:
    void report(bool force);

    std::uint64_t m_total;
    std::function<void(const LoadProgress&)> m_listener;
    std::atomic<std::uint64_t> m_read{0};
    std::mutex m_mutex; ///< of the stage and of calling the listener
    Message m_stage;
    std::chrono::steady_clock::time_point m_last{};
};

} // namespace warpline
