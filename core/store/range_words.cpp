#include "core/store/range_words.h"

#include "core/store/recorder.h"

#include <array>
#include <utility>

namespace warpline {

namespace {

/// What torch.profiler calls the ranges of a domain that the importer of its traces gives them.
std::string_view titleOfDomain(std::string_view domain)
{
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> titles{
        {{"", "User annotation"}, {"PyTorch", "Operator"}, {"Python", "Python function"},
            {"GPU annotations", "GPU annotation"}, {"NCCL", "Collective"}}};
    for (const auto& [known, title] : titles) {
        if (domain == known)
            return title;
    }
    return "Annotation";
}

} // namespace

std::string_view rangeWordOf(const Trace& trace)
{
    std::string_view word = rangesWordOf(trace);
    word.remove_suffix(1);
    return word;
}

std::string_view rangesWordOf(const Trace& trace)
{
    switch (recorderOf(trace.info)) {
    case Recorder::PyTorchProfiler:
        return "annotated ranges";
    case Recorder::OtherTracer:
        return "ranges";
    case Recorder::NsightSystems:
        break;
    }
    return "NVTX ranges";
}

Message rangeTextOf(const Trace& trace)
{
    return {"ranges.one",
        "{kind, select, annotated ranges {annotated range} ranges {range} other {NVTX range}}",
        {{"kind", Name{std::string(rangesWordOf(trace))}}}};
}

Message rangesTextOf(const Trace& trace)
{
    return {"ranges.several",
        "{kind, select, annotated ranges {annotated ranges} ranges {ranges} other {NVTX ranges}}",
        {{"kind", Name{std::string(rangesWordOf(trace))}}}};
}

std::string_view titleOf(const Trace& trace, EventKind kind)
{
    const Recorder recorder = recorderOf(trace.info);
    const bool isRange = kind == EventKind::Nvtx || kind == EventKind::NvtxProjected;
    if (!isRange || recorder == Recorder::NsightSystems)
        return titleOf(kind);
    const bool ofPyTorch = recorder == Recorder::PyTorchProfiler;
    if (kind == EventKind::Nvtx)
        return ofPyTorch ? "Annotation" : "Range";
    return ofPyTorch ? "Annotation on the GPU" : "Range on the GPU";
}

std::string_view titleOf(const Trace& trace, EventRef event)
{
    if (event.kind != EventKind::Nvtx || recorderOf(trace.info) != Recorder::PyTorchProfiler)
        return titleOf(trace, event.kind);
    return titleOfDomain(trace.text(trace.nvtx().trackOf(event.index).family));
}

} // namespace warpline
