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

/// What `work()` finds about files, done on another thread; nothing where it is not there in time: a disk
/// that hangs must hold nobody. Then its answer is dropped.
template <typename Work>
std::optional<std::invoke_result_t<Work&>> withinAMoment(Work work, std::chrono::milliseconds limit = moment)
{
    using Found = std::invoke_result_t<Work&>;
    const auto promise = std::make_shared<std::promise<Found>>();
    std::future<Found> found = promise->get_future();
    JobQueue queue(JobPool::files()); // who is left behind takes no thread from others
    queue.start(
        [promise, work = std::move(work)](const std::stop_token&) mutable { promise->set_value(work()); });
    if (found.wait_for(limit) != std::future_status::ready)
        return std::nullopt;
    return found.get();
}

} // namespace warpline
