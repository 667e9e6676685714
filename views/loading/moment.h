#pragma once

#include "core/base/moment.h"
#include "views/loading/latest_job.h"

#include <future>
#include <memory>
#include <type_traits>
#include <utility>

namespace warpline {

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
