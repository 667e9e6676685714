// Names time from samples where nothing else names it. A starting Python program is in thousands of
// functions, none of which leads: then the library, or importing modules, is the name.

#include "core/base/median.h"
#include "core/base/path_names.h"
#include "core/base/utf8.h"
#include "core/findings/sampled_functions.h"
#include "core/overview/host_names.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace warpline {

namespace {

constexpr std::size_t minSamples = 10;
constexpr double leads = 0.1; ///< of the samples: with a smaller share, the function's library is named

struct Seen {
    Ns time = 0;
    StackFrame frame; ///< the innermost with a name
    bool imports = false; ///< of Python
    bool isLeft = false; ///< nothing else names the time of the sample
};

/// A stack within Python's import machinery, whatever module it runs.
bool isImport(const Trace& trace, std::span<const StackFrame> stack)
{
    return std::ranges::any_of(
        stack, [&](const StackFrame& frame) { return trace.text(frame.symbol) == "_find_and_load"; });
}

/// Without its time.
Seen seenIn(const Trace& trace, EventKind kind, std::span<const StackFrame> stack)
{
    Seen seen;
    seen.imports = kind == EventKind::Nvtx && isImport(trace, stack);
    const auto named
        = std::ranges::find_if(stack, [&](const StackFrame& frame) { return namesFunction(trace, frame); });
    seen.frame = named == stack.end() ? stack.front() : *named;
    return seen;
}

/// The samples of `thread` in unnamed time, in order.
std::vector<Seen> samplesOf(
    const Trace& trace, GlobalId thread, const Intervals& left, const std::stop_token& stop)
{
    const auto [kind, lanes] = sampleLanesOf(trace, thread);
    const EventTable& table = trace.table(kind);
    std::vector<Seen> samples;
    std::unordered_map<std::uint32_t, Seen> stacks; // any number of samples may share one of any depth
    for (const Lane& lane : lanes) {
        const auto [first, last] = table.touching(lane, {left.front().start, left.back().end});
        for (const EventIndex i : stoppable(first, last, stop)) {
            Seen seen;
            if (const auto stack = trace.stackOf({kind, i}); !stack.empty()) {
                const auto [at, isNew] = stacks.try_emplace(table.callchain[i]);
                if (isNew)
                    at->second = seenIn(trace, kind, stack);
                seen = at->second;
            }
            seen.time = table.start[i];
            samples.push_back(seen);
        }
    }
    std::ranges::stable_sort(samples, {}, &Seen::time);
    auto part = left.begin();
    for (Seen& seen : samples) {
        while (part != left.end() && part->end <= seen.time)
            ++part;
        seen.isLeft = part != left.end() && part->contains(seen.time);
    }
    return samples;
}

/// The typical distance of samples.
Ns periodOf(const std::vector<Seen>& samples)
{
    std::vector<Ns> distances;
    for (std::size_t i = 0; i + 1 < samples.size(); ++i)
        distances.push_back(samples[i + 1].time - samples[i].time);
    return upperMedian(std::move(distances));
}

std::optional<HostName> functionOf(const Trace& trace, const StackFrame& frame, bool ofPython)
{
    if (!namesFunction(trace, frame))
        return std::nullopt;
    return HostName{HostNameKind::Function,
        ofPython ? pythonFunction(trace, frame) : bareFunction(trace.text(frame.symbol))};
}

std::optional<HostName> moduleOf(const Trace& trace, const StackFrame& frame, bool ofPython)
{
    if (frame.kernelMode)
        return HostName{HostNameKind::OsKernel};
    if (ofPython)
        return HostName{HostNameKind::Code, toUtf8(lastParts(trace.text(frame.module)))};
    std::string module = toUtf8(baseName(trace.text(frame.module)));
    if (module.empty() || module.front() == '[')
        return std::nullopt;
    return HostName{HostNameKind::Module, std::move(module)};
}

} // namespace

void nameBySamples(const Trace& trace, GlobalId thread, NamedTime& time, const std::stop_token& stop)
{
    if (time.left().empty())
        return;
    const std::vector<Seen> samples = samplesOf(trace, thread, time.left(), stop);
    if (samples.size() < minSamples)
        return;
    const bool ofPython = sampleLanesOf(trace, thread).kind == EventKind::Nvtx;
    const Ns reach = 2 * periodOf(samples); // a thread that is on no CPU is not sampled
    std::map<std::pair<StringId, StringId>, std::size_t> counts;
    std::size_t all = 0;
    for (const Seen& seen : samples) {
        if (seen.isLeft) {
            ++counts[{seen.frame.symbol, seen.frame.module}];
            ++all;
        }
    }
    if (all < minSamples)
        return;
    const auto leading = static_cast<std::size_t>(leads * static_cast<double>(all));
    std::map<std::pair<StringId, StringId>, std::optional<std::uint32_t>> numbers;
    NamedTime::Claims claims;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const Seen& seen = samples[i];
        if (!seen.isLeft)
            continue;
        const auto [place, added] = numbers.try_emplace({seen.frame.symbol, seen.frame.module});
        if (added) {
            std::optional<HostName> name
                = counts[place->first] >= leading ? functionOf(trace, seen.frame, ofPython) : std::nullopt;
            if (!name)
                name = moduleOf(trace, seen.frame, ofPython);
            if (name)
                place->second = time.number(*name);
        }
        const std::optional<std::uint32_t> name
            = seen.imports ? std::optional(time.number({HostNameKind::Imports})) : place->second;
        const Ns next = i + 1 < samples.size() ? samples[i + 1].time : seen.time + reach;
        if (name)
            claims.push_back({{seen.time, std::min(next, seen.time + reach)}, *name});
    }
    time.give(claims);
}

} // namespace warpline
