#include "core/derive/recomputed_work.h"

#include "core/derive/helper_threads.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace warpline {

namespace {

constexpr std::string_view nodeBeginning = "autograd::engine::evaluate_function";

/// Operators of modules and functional calls that no formula of a derivative calls.
constexpr auto forwardOnly = std::to_array<std::string_view>({"aten::conv1d", "aten::conv2d", "aten::conv3d",
    "aten::conv_transpose1d", "aten::conv_transpose2d", "aten::conv_transpose3d", "aten::linear",
    "aten::batch_norm", "aten::layer_norm", "aten::group_norm", "aten::instance_norm", "aten::rms_norm",
    "aten::embedding", "aten::embedding_bag", "aten::dropout", "aten::scaled_dot_product_attention",
    "aten::max_pool1d", "aten::max_pool2d", "aten::max_pool3d", "aten::adaptive_avg_pool2d", "aten::relu",
    "aten::relu_", "aten::gelu", "aten::silu", "aten::silu_", "aten::softmax", "aten::cross_entropy_loss"});

enum class Role : std::uint8_t { None, Node, Forward };

Role roleOf(std::string_view name)
{
    if (name.starts_with(nodeBeginning))
        return Role::Node;
    return std::ranges::find(forwardOnly, name) != forwardOnly.end() ? Role::Forward : Role::None;
}

/// The ranges of one thread that matter here.
struct Marks {
    std::vector<TimeRange> nodes;
    std::vector<TimeRange> forward;
};

std::map<GlobalId, Marks> marksOf(const Trace& trace, const std::stop_token& stop)
{
    std::map<GlobalId, Marks> threads;
    OncePerName roles([&](StringId name) { return roleOf(trace.text(name)); });
    const NvtxTable& ranges = trace.nvtx();
    for (const Track& track : ranges.tracks) {
        if (track.device >= 0 || trace.text(track.family) != "PyTorch")
            continue;
        for (const EventIndex i : eventsOf(track, stop)) {
            const Role role = roles(ranges.name[i]);
            if (role == Role::Node)
                threads[track.owner].nodes.push_back(ranges.range(i));
            else if (role == Role::Forward)
                threads[track.owner].forward.push_back(ranges.range(i));
        }
    }
    return threads;
}

} // namespace

std::vector<RecomputedStretch> recomputedStretches(const Trace& trace, const std::stop_token& stop)
{
    std::vector<RecomputedStretch> stretches;
    for (auto& [thread, marks] : marksOf(trace, stop)) {
        const auto byTime = [](TimeRange range) { return std::pair(range.start, -range.end); };
        std::ranges::sort(marks.nodes, {}, byTime);
        std::ranges::sort(marks.forward, {}, byTime);
        std::size_t next = 0;
        Ns done = 0; // of the outermost node before
        for (const TimeRange& node : marks.nodes) {
            if (node.start < done)
                continue;
            done = node.end;
            while (next < marks.forward.size() && marks.forward[next].start < node.start)
                ++next;
            TimeRange found;
            for (; next < marks.forward.size() && marks.forward[next].start < node.end; ++next)
                found = found.empty() ? marks.forward[next] : found.unitedWith(marks.forward[next]);
            if (!found.empty())
                stretches.push_back({thread, found});
        }
    }
    return stretches;
}

bool isRecomputed(const std::vector<RecomputedStretch>& stretches, GlobalId thread, Ns time)
{
    const auto after = std::ranges::upper_bound(stretches, std::pair(thread, time), {},
        [](const RecomputedStretch& stretch) { return std::pair(stretch.thread, stretch.time.start); });
    return after != stretches.begin() && std::prev(after)->thread == thread
        && time < std::prev(after)->time.end;
}

Ns recomputedGpuTime(const Trace& trace, const std::vector<RecomputedStretch>& stretches, TimeRange window,
    const std::stop_token& stop)
{
    Ns total = 0;
    const EventTable& calls = trace.apiCalls();
    for (const RecomputedStretch& stretch : stretches) {
        for (const Track& track : calls.tracks) {
            if (track.owner != stretch.thread)
                continue;
            for (const auto& [first, last] : callsWithin(trace, track, stretch.time)) {
                for (const EventIndex call : stoppable(first, last, stop)) {
                    trace.visitWork(call, [&](EventRef work) {
                        const TimeRange range = trace.range(work);
                        if (window.empty() || window.touches(range.start, range.end))
                            total += range.duration();
                    });
                }
            }
        }
    }
    return total;
}

} // namespace warpline
