#include "core/findings/kernel_totals.h"

#include "core/analysis/program_kind.h"
#include "core/base/format.h"
#include "core/base/message_names.h"
#include "core/base/shell_words.h"
#include "core/base/utf8.h"
#include "core/coverage/intervals.h"
#include "core/derive/tracks_of.h"
#include "core/kernels/kernel_label.h"
#include "core/kernels/kernel_names.h"
#include "core/query/kernel_occupancy.h"
#include "core/store/event_loops.h"
#include "core/store/nvtx_types.h"
#include "core/store/part_of_recording.h"
#include "core/store/recorder.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>

namespace warpline {

namespace {

constexpr std::size_t communicates = static_cast<std::size_t>(-1);

/// The function's name as ncu's --kernel-name compares it.
std::string functionOf(const Trace& trace, EventIndex kernel)
{
    const std::string_view name = trace.text(trace.kernels().launch(kernel).shortName);
    return name.empty() ? shortFunctionName(trace.name({EventKind::Kernel, kernel})) : std::string(name);
}

/// The displayed name of a kernel: its function, or for templates that run any code (Kernel2) their argument.
std::string labelOf(const Trace& trace, EventIndex kernel)
{
    const std::string function = functionOf(trace, kernel);
    const std::string_view label = kernelLabel(trace.name({EventKind::Kernel, kernel}), function);
    return label.empty() ? function : std::string(label);
}

/// Equal for kernels with the same displayed name. There are few names, so results are cached by this key.
std::uint64_t looksOf(const KernelTable& kernels, EventIndex kernel)
{
    return std::uint64_t{raw(kernels.name[kernel])} << 32U | kernels.attribute[kernel];
}

/// Sums kernels by the name that is shown.
class Totals {
public:
    explicit Totals(const RuleContext& context)
        : m_trace(context.trace),
          m_window(context.window),
          m_measured(context.facts.measuredRange())
    {
    }

    void add(EventIndex kernel)
    {
        const std::size_t place = placeOf(kernel);
        if (place == communicates)
            return;
        const KernelTable& kernels = m_trace.kernels();
        KernelTotal& total = m_totals[place];
        const Ns time = kernels.duration[kernel];
        if (!total.longest.valid() || time > kernels.duration[total.longest.index])
            total.longest = {EventKind::Kernel, kernel};
        ++total.launches;
        total.inside += kernels.range(kernel).clippedTo(m_window).duration();
        if (const TimeRange inside = kernels.range(kernel).clippedTo(m_measured); !inside.empty())
            total.measured += inside.duration();
    }

    std::vector<KernelTotal> ranked() &&
    {
        std::ranges::stable_sort(m_totals, std::greater{}, &KernelTotal::inside);
        return std::move(m_totals);
    }

private:
    std::size_t placeOf(EventIndex kernel)
    {
        const KernelTable& kernels = m_trace.kernels();
        const auto [known, added] = m_places.try_emplace(looksOf(kernels, kernel), communicates);
        if (added && !isCommunication(m_trace.text(kernels.name[kernel]))
            && !isOfDirectivesRuntime(m_trace.text(kernels.name[kernel]))) {
            const std::string label = labelOf(m_trace, kernel);
            const auto [place, fresh] = m_byFunction.try_emplace(label, m_totals.size());
            if (fresh)
                m_totals.push_back({.function = label});
            m_totals[place->second].ofTemplate |= label != functionOf(m_trace, kernel);
            known->second = place->second;
        }
        return known->second;
    }

    const Trace& m_trace;
    TimeRange m_window;
    TimeRange m_measured;
    std::unordered_map<std::uint64_t, std::size_t> m_places; ///< by looksOf()
    std::map<std::string, std::size_t> m_byFunction;
    std::vector<KernelTotal> m_totals;
};

/// NVTX ranges of one name in one domain, by the thread that pushed them, as in ncu's --nvtx-include.
struct NvtxFilter {
    std::string expression; ///< "train/" or "domain@train/"; empty: no filter
    EventIndex around = noIndex; ///< the range that gave the name
    std::size_t ranges = 0; ///< of this name
    std::unordered_map<GlobalId, Intervals> inside;

    bool passes(GlobalId thread, Ns time) const
    {
        const auto known = inside.find(thread);
        if (known == inside.end())
            return false;
        const auto behind = std::ranges::upper_bound(known->second, time, {}, &TimeRange::start);
        return behind != known->second.begin() && std::prev(behind)->contains(time);
    }
};

/// Whether ncu can filter by ranges of this name: it reads such a prefix as a regular expression, and cannot
/// handle a backslash before a special character.
bool canBeFilter(std::string_view name)
{
    for (std::size_t at = name.find('\\'); at != std::string_view::npos; at = name.find('\\', at + 1)) {
        if (at + 1 < name.size()
            && std::string_view("\\@,[]/*+").find(name[at + 1]) != std::string_view::npos)
            return false;
    }
    return !name.empty() && !name.starts_with("regex:");
}

/// `name` with special characters of ncu's NVTX range expressions escaped.
std::string nvtxEscaped(std::string_view name)
{
    std::string escaped;
    for (const char c : name) {
        if (std::string_view("\\@,[]/*+").find(c) != std::string_view::npos)
            escaped += '\\';
        escaped += c;
    }
    return escaped;
}

/// The innermost push/pop range that holds `time` on `thread`; noIndex: none with a name.
EventIndex rangeAround(const Trace& trace, GlobalId thread, Ns time)
{
    const NvtxTable& nvtx = trace.nvtx();
    EventIndex inner = noIndex;
    for (const Track& track : TracksOf(trace, EventKind::Nvtx, thread)) {
        for (const EventIndex i : eventsIn(nvtx, track, {time, time + 1})) {
            const bool holds = nvtx.range(i).contains(time) && raw(nvtx.name[i]) != 0
                && nvtx.attributesOf(i).eventType == nvtxPushPop;
            if (holds && (inner == noIndex || nvtx.start[i] >= nvtx.start[inner]))
                inner = i;
        }
    }
    return inner;
}

/// The filter for the launch of `kernel`. Ranges of torch.profiler are not NVTX ranges that ncu could see.
NvtxFilter nvtxFilterOf(const Trace& trace, EventIndex kernel, const std::stop_token& stop)
{
    const EventRef call = trace.apiCallOf({EventKind::Kernel, kernel});
    if (!call.valid() || recorderOf(trace.info) != Recorder::NsightSystems)
        return {};
    const NvtxTable& nvtx = trace.nvtx();
    const GlobalId thread = trace.apiCalls().trackOf(call.index).owner;
    const EventIndex around = rangeAround(trace, thread, trace.apiCalls().start[call.index]);
    if (around == noIndex)
        return {};
    NvtxFilter filter;
    filter.around = around;
    const StringId domain = nvtx.trackOf(around).family;
    const std::string_view domainName = trace.text(domain);
    if (!canBeFilter(trace.text(nvtx.name[around])) || (!domainName.empty() && !canBeFilter(domainName)))
        return {};
    if (!domainName.empty())
        filter.expression = nvtxEscaped(domainName) + '@';
    filter.expression += nvtxEscaped(trace.text(nvtx.name[around])) + '/';
    for (const Track& track : nvtx.tracks) {
        if (processOf(track.owner) != processOf(thread) || track.family != domain)
            continue;
        for (const EventIndex i : eventsOf(track, stop)) {
            if (nvtx.name[i] == nvtx.name[around] && nvtx.attributesOf(i).eventType == nvtxPushPop) {
                filter.inside[track.owner].push_back(nvtx.range(i));
                ++filter.ranges;
            }
        }
    }
    for (auto& [owner, ranges] : filter.inside)
        ranges = unionOf(std::move(ranges), allTime, stop);
    return filter;
}

/// Whether the program has no range of the name of `filter` before `part`, as far as a part shows: its only
/// one begins in it, has a number, and lies in no other range, as a step does. "layer_3" in a step comes
/// back.
bool beginsIn(const Trace& trace, const RecordingPart& part, const NvtxFilter& filter)
{
    const NvtxTable& nvtx = trace.nvtx();
    if (filter.ranges != 1 || nvtx.start[filter.around] < part.kept.start
        || trace.text(nvtx.name[filter.around]).find_first_of("0123456789") == std::string_view::npos)
        return false;
    const TimeRange own = nvtx.range(filter.around);
    for (const Track& track : TracksOf(trace, EventKind::Nvtx, nvtx.trackOf(filter.around).owner)) {
        for (const EventIndex i : eventsIn(nvtx, track, own)) {
            if (i != filter.around && nvtx.attributesOf(i).eventType == nvtxPushPop
                && nvtx.range(i).unitedWith(own) == nvtx.range(i) && nvtx.range(i) != own)
                return false;
        }
    }
    return true;
}

/// How many kernels that --kernel-name of `total` lets through the process launches before its longest one,
/// on any GPU since the start of the report, within `filter`: the value of ncu's --launch-skip.
std::uint64_t launchesBefore(
    const Trace& trace, const KernelTotal& total, const NvtxFilter& filter, const std::stop_token& stop)
{
    const EventIndex kernel = total.longest.index;
    const KernelTable& kernels = trace.kernels();
    const EventTable& calls = trace.apiCalls();
    const auto launched = [&](EventIndex i) {
        const EventRef call = trace.apiCallOf({EventKind::Kernel, i});
        return std::pair(call.valid() ? calls.start[call.index] : kernels.start[i], kernels.start[i]);
    };
    const auto limit = launched(kernel);
    OncePerName isFunction([&](StringId function) { return trace.text(function) == total.function; });
    OncePerName isKernel([&](StringId name) {
        return total.ofTemplate ? trace.text(name).find(total.function) != std::string_view::npos
                                : shortFunctionName(trace.text(name)) == total.function;
    });
    const bool isAny = total.function == missingName; // ncu gets no --kernel-name
    const auto isSame = [&](EventIndex i) { // the value of functionOf()
        const StringId function = total.ofTemplate ? StringId{} : kernels.launch(i).shortName;
        return isAny || (function == StringId{} ? isKernel(kernels.name[i]) : isFunction(function));
    };
    const auto passes = [&](EventIndex i) {
        const EventRef call = trace.apiCallOf({EventKind::Kernel, i});
        return filter.expression.empty()
            || (call.valid() && filter.passes(calls.trackOf(call.index).owner, calls.start[call.index]));
    };
    const GlobalId process = processOf(kernels.trackOf(kernel).owner);
    std::uint64_t before = 0;
    for (const Track& track : TracksOf::ofProcess(trace, EventKind::Kernel, process)) {
        for (const EventIndex i : eventsOf(track, stop))
            before += isSame(i) && launched(i) < limit && passes(i) ? 1 : 0;
    }
    return before;
}

/// `text` as a regular expression that matches it and nothing else.
std::string regexQuoted(std::string_view text)
{
    std::string quoted;
    for (const char c : text) {
        if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos)
            quoted += '\\';
        quoted += c;
    }
    return quoted;
}

/// The function for --kernel-name: without the signature that ends Numba's names.
std::string kernelPattern(const std::string& function)
{
    const std::size_t end = function.find('[');
    return shellQuoted(end == std::string::npos ? function : "regex:" + regexQuoted(function.substr(0, end)));
}

/// True when the recording begins with the program's cudaProfilerStart, from where ncu must count, too.
bool beginsOnRequest(const Trace& trace)
{
    return std::ranges::any_of(trace.info.diagnostics, [](const DiagnosticLine& line) {
        return line.text.find("started due to cudaProfilerStart") != std::string::npos;
    });
}

} // namespace

std::vector<KernelTotal> kernelTotals(const RuleContext& context, const GpuFacts& gpu)
{
    Totals totals(context);
    forEachOfKind(gpu, EventKind::Kernel, context.stop, [&](EventRef event) { totals.add(event.index); });
    return std::move(totals).ranked();
}

Message launchShape(const Trace& trace, EventIndex kernel)
{
    const KernelLaunch& launch = trace.kernels().launch(kernel);
    if (!isShapeKnown(launch))
        return {"kernel.shape_unknown", "a launch shape that is not recorded"};
    const auto extent
        = [](const Dim3& size) { return Name{fmt::format("{}x{}x{}", size.x, size.y, size.z)}; };
    const Residency residency = residencyOf(trace, kernel);
    const double waves = residency.waves();
    // Residency per multiprocessor means little where many have no block at all.
    const bool isFew
        = static_cast<double>(residency.blocks) < 0.75 * static_cast<double>(residency.multiprocessors);
    const double occupancy = isFew ? 0 : residency.occupancy;
    return {"kernel.shape",
        "{grid} blocks × {block} threads{fills, select, whole {, {waves} waves} part {, {share} of a wave} other {}}{known, select, yes {, theoretical occupancy {occupancy} with {registers} registers per thread} other {}}",
        {{"grid", extent(launch.grid)}, {"block", extent(launch.block)},
            {"fills",
                Name{waves >= 1     ? "whole"
                        : waves > 0 ? "part"
                                    : "unknown"}},
            {"waves", Number{waves, waves < 10 ? 2 : 0}}, {"share", Share{waves}},
            {"known", yesOrNo(occupancy > 0)}, {"occupancy", Share{occupancy}},
            {"registers", Ordinal{launch.registersPerThread}}}};
}

std::size_t launchedProgram(std::string_view command)
{
    constexpr std::array<std::string_view, 5> launchers{"mpirun", "mpiexec", "orterun", "prterun", "srun"};
    constexpr std::array<std::string_view, 25> withValue{"-n", "-np", "--np", "-N", "--ntasks", "-c",
        "--cpus-per-task", "-H", "--host", "-host", "-hostfile", "--hostfile", "-machinefile",
        "--machinefile", "--map-by", "--bind-to", "--rank-by", "-x", "-ppn", "-npernode", "--npernode", "-p",
        "-A", "-t", "-G"};
    std::size_t place = 0;
    const auto next = [&] {
        const std::size_t start = command.find_first_not_of(' ', place);
        place = start == std::string_view::npos ? command.size()
                                                : std::min(command.find(' ', start), command.size());
        return start == std::string_view::npos ? std::string_view() : command.substr(start, place - start);
    };
    std::string_view first = next();
    first.remove_prefix(first.find_last_of('/') + 1);
    if (std::ranges::find(launchers, first) == launchers.end())
        return 0;
    for (std::string_view word = next(); !word.empty(); word = next()) {
        if (word.front() != '-')
            return place - word.size();
        const int values
            = word == "--mca" || word == "-mca" ? 2 : std::ranges::find(withValue, word) != withValue.end();
        for (int i = 0; i < values; ++i)
            next();
    }
    return 0;
}

Message ncuSkipNote(const Trace& trace, EventIndex kernel, const std::stop_token& stop)
{
    if (const auto part = partOf(trace.info); part && part->beginsLater()) {
        const NvtxFilter filter = nvtxFilterOf(trace, kernel, stop);
        if (filter.expression.empty())
            return {"kernel.skip_in_part",
                "--launch-skip counts from the start of this part of the recording: add the launches before it"};
        if (beginsIn(trace, *part, filter))
            return {};
        return {"kernel.skip_in_ranges",
            "--launch-skip counts in ranges {name} of this part of the recording: add the launches in such ranges before it",
            {{"name", Name{std::string(trace.text(trace.nvtx().name[filter.around]))}}}};
    }
    // torch.profiler's schedule skips an unknown number of steps before it records.
    return recorderOf(trace.info) == Recorder::NsightSystems
        ? Message()
        : Message("kernel.skip_in_trace",
            "--launch-skip counts from the start of the trace: add the launches before it");
}

std::string ncuCommand(const Trace& trace, const KernelTotal& total, const std::stop_token& stop)
{
    const std::string& program = trace.info.commandLine;
    const std::string name = total.function == missingName ? std::string()
        : total.ofTemplate ? fmt::format(" --kernel-name-base demangled --kernel-name {}",
              shellQuoted("regex:" + regexQuoted(total.function)))
                           : fmt::format(" --kernel-name {}", kernelPattern(total.function));
    const NvtxFilter filter = nvtxFilterOf(trace, total.longest.index, stop);
    const std::string inRange = filter.expression.empty()
        ? std::string()
        : fmt::format(" --nvtx --nvtx-include {}", shellQuoted(filter.expression));
    const std::string options = fmt::format("--set full{}{}{} --launch-skip {} --launch-count 1",
        beginsOnRequest(trace) ? " --profile-from-start off" : "", name, inRange,
        launchesBefore(trace, total, filter, stop));
    const std::size_t launched = launchedProgram(program);
    if (launched > 0) // each rank has its own ncu and output file
        return fmt::format(
            "{}ncu {} -o kernel_%p {}", program.substr(0, launched), options, program.substr(launched));
    return fmt::format("ncu {} -o kernel {}", options, program);
}

Message ncuText(const Trace& trace, std::string_view command)
{
    return {"kernel.command", "{command}{known, select, yes {} other {<your program>}}",
        {{"command", Name{toUtf8(command)}}, {"known", yesOrNo(!trace.info.commandLine.empty())}}};
}

std::string ncuCommandOf(const Trace& trace, EventIndex kernel, const std::stop_token& stop)
{
    KernelTotal total;
    total.function = labelOf(trace, kernel);
    total.ofTemplate = total.function != functionOf(trace, kernel);
    total.longest = {EventKind::Kernel, kernel};
    return ncuCommand(trace, total, stop);
}

} // namespace warpline
