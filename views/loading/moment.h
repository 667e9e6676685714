#pragma once

#include "core/base/job_runner.h"
#include "views/loading/latest_job.h"

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace warpline {

/// So long the window waits for what is known of files on a good disk.
inline constexpr std::chrono::milliseconds moment{300};

/// What `work()` finds about files, done on another thread; nothing where it is not there in time: a disk
/// that hangs must not hold the window. Then its answer is dropped.
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

/// Does `done(work(stop))`, where `work` uses files on another thread: before it returns where that takes a
/// moment, else later, as `job`, which is one of JobPool::files().
template <typename Work, typename Done> void nowOrLater(LatestJob& job, Work work, Done done)
{
    using Found = std::invoke_result_t<Work&, const std::stop_token&>;
    const auto promise = std::make_shared<std::promise<Found>>();
    const std::shared_future<Found> found = promise->get_future().share();
    job.abandon();
    job.start(
        [promise, work = std::move(work)](const std::stop_token& stop) mutable {
            promise->set_value(work(stop));
            return true;
        },
        [found, done](bool) mutable { done(found.get()); });
    if (found.wait_for(moment) != std::future_status::ready)
        return;
    job.cancel();
    done(found.get());
}

} // namespace warpline
