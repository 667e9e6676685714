#include "core/store/range_words.h"

#include "core/base/message_names.h"
#include "core/base/utf8.h"
#include "core/store/recorder.h"
#include "core/store/trace.h"

namespace warpline {

namespace {

/// torch.profiler's name for the ranges of a domain that the importer of its traces assigns.
Message titleOfDomain(std::string_view domain)
{
    if (domain.empty())
        return {"range_title.user", "User annotation"};
    if (domain == "PyTorch")
        return {"range_title.operator", "Operator"};
    if (domain == "Python")
        return {"range_title.python", "Python function"};
    if (domain == "GPU annotations")
        return {"range_title.gpu", "GPU annotation"};
    if (domain == "NCCL")
        return {"range_title.collective", "Collective"};
    return {"range_title.annotation", "Annotation"};
}

} // namespace

Name recorderName(Recorder recorder)
{
    return {recorder == Recorder::NsightSystems     ? "nsys"
            : recorder == Recorder::PyTorchProfiler ? "torch"
                                                    : "other"};
}

Message domainText(std::string_view domain)
{
    return domain == "GPU annotations" ? Message("range_title.gpu_domain", "GPU annotations")
                                       : nameMessage(toUtf8(domain));
}

Message rangeTextOf(const Trace& trace)
{
    return {"ranges.one", "{recorder, select, nsys {NVTX range} torch {annotated range} other {range}}",
        {{"recorder", recorderName(recorderOf(trace.info))}}};
}

Message rangesTextOf(const Trace& trace)
{
    return {"ranges.several",
        "{recorder, select, nsys {NVTX ranges} torch {annotated ranges} other {ranges}}",
        {{"recorder", recorderName(recorderOf(trace.info))}}};
}

Message kindText(EventKind kind)
{
    return {keyOf(kind), "kind_title", titleOf(kind)};
}

Message titleOf(const Trace& trace, EventKind kind)
{
    const Recorder recorder = recorderOf(trace.info);
    const bool isRange = kind == EventKind::Nvtx || kind == EventKind::NvtxProjected;
    if (!isRange || recorder == Recorder::NsightSystems)
        return kindText(kind);
    return {"range_title.kind",
        "{recorder, select, torch {Annotation} other {Range}}{where, select, gpu { on the GPU} other {}}",
        {{"recorder", recorderName(recorder)}, {"where", Name{kind == EventKind::Nvtx ? "host" : "gpu"}}}};
}

Message titleOf(const Trace& trace, EventRef event)
{
    if (event.kind != EventKind::Nvtx || recorderOf(trace.info) != Recorder::PyTorchProfiler)
        return titleOf(trace, event.kind);
    return titleOfDomain(trace.text(trace.nvtx().trackOf(event.index).family));
}

} // namespace warpline
