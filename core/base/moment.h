#pragma once

#include "core/base/job_runner.h"

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace warpline {

/// So long a window waits for what is known of files on a good disk.
inline constexpr std::chrono::milliseconds moment{300};

/// What `work()` finds about files, done on another thread; nothing where it fails, or is not done in time: a
/// disk that hangs must hold nobody. Then its answer is dropped. Where the system has no more threads, it
/// runs in place, as long as it takes.
template <typename Work>
std::optional<std::invoke_result_t<Work&>> withinAMoment(Work work, std::chrono::milliseconds limit = moment)
{
    using Found = std::invoke_result_t<Work&>;
    try {
        const auto task = std::make_shared<std::packaged_task<Found()>>(std::move(work));
        std::future<Found> found = task->get_future();
        JobQueue queue(JobPool::files()); // who is left behind takes no thread from others
        queue.start([task](const std::stop_token&) { (*task)(); });
        const bool isDone = found.wait_for(limit) == std::future_status::ready;
        return isDone ? std::optional<Found>(found.get()) : std::nullopt;
    } catch (...) {
        return std::nullopt;
    }
}

} // namespace warpline
