#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace warpline {

/// How many threads are worth `items` pieces of light work: one for every `itemsWorthAThread`, and no more
/// than the machine has.
inline std::size_t threadsFor(std::size_t items, std::size_t itemsWorthAThread = 200'000)
{
    return std::clamp<std::size_t>(
        items / itemsWorthAThread, 1, std::max(1U, std::thread::hardware_concurrency()));
}

/// Splits [0, items) into `threads` runs in order and calls work(thread, first, last) for each, side by side.
/// Returns when all are done. `work` must not throw.
template <typename Work> void inParallel(std::size_t threads, std::size_t items, Work&& work)
{
    std::vector<std::jthread> helpers;
    for (std::size_t t = 1; t < threads; ++t)
        helpers.emplace_back([&work, t, threads, items] {
            work(t, items / threads * t, t + 1 == threads ? items : items / threads * (t + 1));
        });
    work(std::size_t{0}, std::size_t{0}, threads > 1 ? items / threads : items);
}

} // namespace warpline
