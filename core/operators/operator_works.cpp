#include "core/operators/operator_works.h"

#include "core/base/stop.h"
#include "core/derive/kept_answers.h"
#include "core/kernels/kernel_classes.h"
#include "core/operators/kernel_hints.h"
#include "core/operators/operator_names.h"
#include "core/operators/recorded_sizes.h"
#include "core/query/graph_captures.h"
#include "core/query/graph_origins.h"
#include "core/store/event_loops.h"
#include "core/store/nvtx_types.h"
#include "core/store/trace.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace warpline {

namespace {

/// A range on the host that is an operator.
struct Range {
    const Trace* trace = nullptr;
    EventIndex event = 0;
    const WorkModel* model = nullptr;
};

/// The operators of a thread, by start; of equal starts the longer first.
using ThreadRanges = std::vector<EventIndex>;

bool isWhole(const WorkModel& model)
{
    return !model.isComposite
        && (model.multiplies || model.kernelClass == "convolution" || model.kernelClass == "attention");
}

/// Whether torch.func may run the product `inner` as another one with more rows: aten::mv as aten::mm. Its
/// in-place parts, too.
bool mayBeBatched(const Range& inner)
{
    return inner.model->kernelClass == "gemm" && inner.model->operators.starts_with("aten::")
        && !withoutOperatorNumbers(inner.trace->text(inner.trace->nvtx().name[inner.event])).ends_with('_');
}

/// The operators that are open on a thread, from the outermost in.
class OpenOperators {
public:
    /// `time`: when it is open. Ranges begin in order.
    void add(const Range& range, TimeRange time)
    {
        const std::size_t at = m_ranges.size();
        m_ranges.push_back({range, time.end});
        m_time = m_began = time.start;
        m_all.at.push_back(at);
        if (range.model == nullptr)
            return;
        m_known.at.push_back(at);
        if (isWhole(*range.model))
            m_whole[{range.model->kernelClass, range.model->operators.starts_with("aten::")}].at.push_back(
                at);
    }

    /// The operator that owns work that is launched at `time`, no earlier than any range began; nullptr: none
    /// is open.
    const Range* ownerAt(Ns time)
    {
        m_time = time;
        const std::size_t known = last(m_known);
        const std::size_t inner = known != none ? known : last(m_all);
        if (inner == none)
            return nullptr;
        const WorkModel* const model = m_ranges[inner].range.model;
        if (model == nullptr || !model->multiplies)
            return &m_ranges[inner].range;
        std::size_t owner = inner;
        for (const bool ofTorch : {false, true}) {
            const auto around = m_whole.find({model->kernelClass, ofTorch});
            if (around != m_whole.end() && !(ofTorch && mayBeBatched(m_ranges[inner].range)))
                owner = std::min(owner, first(around->second));
        }
        return &m_ranges[owner].range;
    }

private:
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    struct Open {
        Range range;
        Ns end;
    };
    /// Places in m_ranges; those before `next`, and behind the last, are over.
    struct Places {
        std::vector<std::size_t> at;
        std::size_t next = 0;
    };

    /// Once over, a range stays so: time goes on only.
    bool isOver(std::size_t at) const
    {
        return m_ranges[at].end < m_time || (m_ranges[at].end <= m_began && at + 1 < m_ranges.size());
    }
    std::size_t last(Places& places) const
    {
        while (!places.at.empty() && isOver(places.at.back()))
            places.at.pop_back();
        return places.at.empty() ? none : places.at.back();
    }
    std::size_t first(Places& places) const
    {
        while (places.next < places.at.size() && isOver(places.at[places.next]))
            ++places.next;
        return places.next < places.at.size() ? places.at[places.next] : none;
    }

    std::vector<Open> m_ranges;
    Ns m_time = 0; ///< that is asked about
    Ns m_began = 0; ///< the last range
    Places m_all;
    Places m_known; ///< those with a model
    std::map<std::pair<std::string_view, bool>, Places> m_whole; ///< by class, and whether PyTorch's
};

class Finder {
public:
    Finder(const Trace& trace, const OwnWorkModels& models, const std::stop_token& stop)
        : m_trace(trace),
          m_models(models),
          m_stop(stop),
          m_sizes(trace)
    {
    }

    OperatorWorks find()
    {
        collectRanges();
        addReplays(); // before the operators around the calls that replay: they only start the graph
        walkCalls();
        addKernels();
        write();
        return std::move(m_works);
    }

private:
    struct Found {
        Range range; ///< trace nullptr: a kernel without operator
        EventRef event;
        std::vector<EventRef> work;
    };
    struct OperatorName {
        bool isOperator = false;
        const WorkModel* model = nullptr;
    };

    /// Names that are operators on every track, and all names on tracks of PyTorch's profiler.
    const OperatorName& nameOf(const Trace& trace, StringId id, bool ofProfiler)
    {
        auto& names = m_names[&trace][ofProfiler ? 1U : 0U];
        const auto [place, added] = names.try_emplace(id);
        if (added) {
            const std::string_view text = trace.text(id);
            const std::string_view name = withoutOperatorNumbers(text);
            OperatorName& known = place->second;
            known.isOperator = ofProfiler
                ? !name.starts_with("autograd::engine::") && !name.starts_with("profiler::")
                : isFrameworkOperator(text) || text.find(", op_id = ") != std::string_view::npos;
            known.isOperator = known.isOperator && !name.starts_with("autograd::engine::");
            if (known.isOperator)
                known.model = m_models.modelOf(name);
        }
        return place->second;
    }

    static bool isProfilers(const Trace& trace, const Track& track)
    {
        return trace.text(track.family) == "PyTorch";
    }

    void collectRanges()
    {
        const NvtxTable& nvtx = m_trace.nvtx();
        for (const Track& track : nvtx.tracks) {
            if (track.device >= 0 || m_trace.text(track.family) == "NCCL")
                continue;
            const bool profilers = isProfilers(m_trace, track);
            for (const EventIndex i : eventsOf(track, m_stop)) {
                if (nvtx.attributesOf(i).eventType != nvtxMark
                    && nameOf(m_trace, nvtx.name[i], profilers).isOperator)
                    m_ranges[track.owner].push_back(i);
            }
        }
        for (auto& [thread, ranges] : m_ranges) {
            throwIfStopped(m_stop);
            std::ranges::stable_sort(ranges, [&](EventIndex a, EventIndex b) {
                return nvtx.start[a] != nvtx.start[b] ? nvtx.start[a] < nvtx.start[b]
                                                      : nvtx.end(a) > nvtx.end(b);
            });
        }
        m_runOfRange.assign(nvtx.size(), noIndex);
        m_runOfWork.resize(deviceKindCount);
        for (std::size_t kind = 0; kind < deviceKindCount; ++kind)
            m_runOfWork[kind].assign(m_trace.table(static_cast<EventKind>(kind)).size(), noIndex);
    }

    Range rangeOf(const Trace& trace, EventIndex event)
    {
        const Track& track = trace.nvtx().trackOf(event);
        return {&trace, event, nameOf(trace, trace.nvtx().name[event], isProfilers(trace, track)).model};
    }

    void walkCalls()
    {
        const EventTable& api = m_trace.apiCalls();
        std::map<GlobalId, std::vector<EventIndex>> calls;
        for (const Track& track : api.tracks) {
            if (!m_ranges.contains(track.owner))
                continue;
            std::vector<EventIndex>& ofThread = calls[track.owner];
            for (const EventIndex i : eventsOf(track, m_stop)) {
                if (m_trace.links && i < m_trace.links->firstWork.size()
                    && m_trace.links->firstWork[i] != noIndex)
                    ofThread.push_back(i);
            }
        }
        for (auto& [thread, ofThread] : calls) {
            std::ranges::stable_sort(ofThread, {}, [&](EventIndex i) { return api.start[i]; });
            walkThread(m_ranges[thread], ofThread);
        }
    }

    void walkThread(const ThreadRanges& ranges, const std::vector<EventIndex>& calls)
    {
        const NvtxTable& nvtx = m_trace.nvtx();
        OpenOperators open;
        std::size_t next = 0;
        for (const EventIndex call : stoppableItems(calls, m_stop)) {
            const Ns start = m_trace.apiCalls().start[call];
            for (; next < ranges.size() && nvtx.start[ranges[next]] <= start; ++next)
                open.add(rangeOf(m_trace, ranges[next]), nvtx.range(ranges[next]));
            const Range* const owner = open.ownerAt(start);
            if (owner == nullptr)
                continue;
            m_trace.visitWork(call, [&](EventRef work) {
                if (!isGpuWork(work.kind) || m_runOfWork[indexOf(work.kind)][work.index] != noIndex)
                    return;
                std::uint32_t& run = m_runOfRange[owner->event];
                if (run == noIndex)
                    run = newRun({*owner, {EventKind::Nvtx, owner->event}, {}});
                addTo(run, work);
            });
        }
    }

    std::uint32_t newRun(Found found)
    {
        m_found.push_back(std::move(found));
        return static_cast<std::uint32_t>(m_found.size() - 1);
    }

    void addTo(std::uint32_t run, EventRef work)
    {
        m_found[run].work.push_back(work);
        m_runOfWork[indexOf(work.kind)][work.index] = run;
    }

    /// Adds the work of CUDA graph replays by the operator that captured it: one run per replay.
    void addReplays()
    {
        const auto origins = mayHaveGraphOrigins(m_trace) ? graphOriginsOf(m_trace) : nullptr;
        if (!origins || origins->empty())
            return;
        m_origins = origins;
        std::map<std::tuple<EventIndex, const Trace*, EventIndex>, std::uint32_t> runs;
        origins->forEach(m_trace, [&](EventRef work, const CapturedAt& captured) {
            if (!captured.known() || m_runOfWork[indexOf(work.kind)][work.index] != noIndex)
                return;
            OpenOperators open;
            for (const EventIndex i : rangesAroundNode(captured)) {
                const bool profilers = isProfilers(*captured.trace, captured.trace->nvtx().trackOf(i));
                if (nameOf(*captured.trace, captured.trace->nvtx().name[i], profilers).isOperator)
                    open.add(rangeOf(*captured.trace, i), {0, 1});
            }
            const Range* const owner = open.ownerAt(0);
            if (owner == nullptr)
                return;
            const EventRef call = m_trace.apiCallOf(work);
            const auto [place, added] = runs.try_emplace({call.index, owner->trace, owner->event}, 0);
            if (added)
                place->second = newRun({*owner, call, {}});
            addTo(place->second, work);
        });
    }

    void addKernels()
    {
        for (const EventIndex i : everyEvent(m_trace.kernels(), m_stop)) {
            if (m_runOfWork[indexOf(EventKind::Kernel)][i] == noIndex)
                addTo(newRun({{}, {EventKind::Kernel, i}, {}}), {EventKind::Kernel, i});
        }
    }

    void write()
    {
        m_works.runs.reserve(m_found.size());
        for (const Found& found : stoppableItems(m_found, m_stop)) {
            OperatorRun run{found.event, shapeOf(found), static_cast<std::uint32_t>(m_works.work.size()),
                static_cast<std::uint32_t>(found.work.size()), 0};
            for (const EventRef& work : found.work)
                run.gpu += m_trace.range(work).duration();
            m_works.work.insert(m_works.work.end(), found.work.begin(), found.work.end());
            m_works.runs.push_back(run);
        }
        m_works.runOfKernel = std::move(m_runOfWork[indexOf(EventKind::Kernel)]);
    }

    /// Hints from the names of a run's kernels.
    KernelHints hintsOf(const Found& found)
    {
        KernelHints all;
        Ns longest = -1;
        for (const EventRef& work : found.work) {
            if (work.kind != EventKind::Kernel)
                continue;
            const StringId name = m_trace.kernels().name[work.index];
            const auto [place, added] = m_hints.try_emplace(name);
            if (added)
                place->second = hintsOfKernel(m_trace.text(name));
            const Ns took = m_trace.range(work).duration();
            all.add(place->second, took > longest);
            longest = std::max(longest, took);
        }
        return all;
    }

    std::uint32_t shapeOf(const Found& found)
    {
        const KernelHints hints = hintsOf(found);
        if (found.range.trace == nullptr)
            return kernelShape(found.event, hints);
        const Trace& trace = *found.range.trace;
        const NvtxTable& nvtx = trace.nvtx();
        const StringId name = nvtx.name[found.range.event];
        const StringId payload = nvtx.attributesOf(found.range.event).payload;
        const StringId lengths = found.range.model != nullptr && found.range.model->readsLengths
            ? lengthsNameAt(found.event)
            : StringId{};
        const bool overHost = isOverHost(found);
        const std::tuple key(&trace, name, payload, lengths, overHost, hints.key());
        const auto [place, added] = m_shapes.try_emplace(key, 0);
        if (added)
            place->second = operatorShape(found, hints, lengths, overHost);
        return place->second;
    }

    /// Whether all that a call launched copies between host and GPU.
    bool isOverHost(const Found& found) const
    {
        return std::ranges::all_of(found.work, [&](EventRef work) {
            if (work.kind != EventKind::Memcpy)
                return false;
            const CopyKind kind = m_trace.memcpys().copy(work.index).kind;
            return kind == CopyKind::HtoD || kind == CopyKind::DtoH;
        });
    }

    /// The name of the innermost step around `host` that contains sequence lengths; empty: none does.
    StringId lengthsNameAt(EventRef host)
    {
        const GlobalId thread = m_trace.track(m_trace.trackOf(host)).owner;
        const auto around = rangesOfThreadAt(m_trace, thread, m_trace.range(host).start);
        for (auto range = around.rbegin(); range != around.rend(); ++range) {
            const StringId name = m_trace.nvtx().name[*range];
            if (attentionLengthsIn(m_trace.text(name)))
                return name;
        }
        return {};
    }

    std::uint32_t kernelShape(EventRef kernel, const KernelHints& hints)
    {
        const StringId name = m_trace.kernels().name[kernel.index];
        const auto [place, added] = m_kernelShapes.try_emplace(name, 0);
        if (added) {
            OperatorShape shape;
            shape.operatorName = m_trace.displayName(kernel);
            shape.isKernel = true;
            shape.kernelClass = classOf(hints);
            shape.arithmetic = hints.math.type;
            shape.unit = hints.math.unit;
            place->second = addShape(std::move(shape));
        }
        return place->second;
    }

    static std::string classOf(const KernelHints& hints)
    {
        const KernelClassRules& rules = kernelClassRules();
        return rules.classes()[hints.longest.empty() ? rules.unclassified() : rules.classOf(hints.longest)]
            .id;
    }

    std::uint32_t operatorShape(const Found& found, const KernelHints& hints, StringId lengths, bool overHost)
    {
        const Trace& trace = *found.range.trace;
        const std::string_view name = trace.text(trace.nvtx().name[found.range.event]);
        const std::string_view payload = trace.text(trace.nvtx().attributesOf(found.range.event).payload);
        const bool isRange = name.find(", op_id = ") != std::string_view::npos
            || name.find(", seq = ") != std::string_view::npos;
        OperatorCall call = isRange ? callOfRange(name) : callOfPayload(name, payload);
        const WorkModel* const model = found.range.model;
        OperatorShape shape;
        shape.operatorName = call.name;
        shape.overHost = overHost;
        shape.shapes = call.shapeCount == 0 ? std::string() : shapesText(call);
        if (!isRange)
            shape.types = typesOfPayload(payload);
        const bool hasClass = model != nullptr && !model->kernelClass.empty();
        shape.kernelClass = hasClass ? std::string(model->kernelClass) : classOf(hints);
        if (!call.hasTypes) {
            shape.typesFromKernels = takeTypes(call, hints, model);
            if (model != nullptr && model->kernelClass == "convolution") {
                call.wantsGradients = hints.gradients();
                if (isRange && &trace == &m_trace)
                    call.output = m_sizes.resultOf(found.range.event);
            }
        }
        if (call.hasTypes)
            shape.typesFromKernels = takeTypesOfLists(call, hints);
        if (model != nullptr && model->kernelClass == "convolution" && !isRange && !call.hasValues
            && &trace == &m_trace)
            call.output = resultReadNext(found.range.event, call);
        if (lengths != StringId{})
            call.lengths = attentionLengthsIn(m_trace.text(lengths));
        // If the products of a composite operator belong to other operators, the rest of it has none.
        const bool isRest
            = model != nullptr && model->isComposite && model->multiplies && hints.products == 0;
        if (model != nullptr && !isRest) {
            if (auto work = m_models.workOf(*model, call))
                shape.work = *work;
        }
        if (shape.work.flops)
            shape.work.skipped = std::min(shape.work.skipped, *shape.work.flops);
        shape.unit = model != nullptr && !model->multiplies ? MathUnit::Simt : hints.math.unit;
        shape.arithmetic = arithmeticOf(call, hints);
        if (model != nullptr && model->multiplies && shape.unit == MathUnit::Unknown
            && shape.arithmetic != MathType::Fp32)
            shape.unit = MathUnit::Tensor;
        return addShape(std::move(shape));
    }

    std::uint32_t addShape(OperatorShape shape)
    {
        m_works.shapes.push_back(std::move(shape));
        return static_cast<std::uint32_t>(m_works.shapes.size() - 1);
    }

    /// Gives the tensors of `call` the type that its kernels compute in. Indices keep none.
    static bool takeTypes(OperatorCall& call, const KernelHints& hints, const WorkModel* model)
    {
        if (hints.element == ElementType::Unknown)
            return false;
        const std::size_t count
            = model != nullptr && model->kernelClass == "embedding" ? 1 : call.arguments.size();
        for (std::size_t i = 0; i < count && i < call.arguments.size(); ++i) {
            for (Tensor& tensor : call.arguments[i].tensors)
                tensor.type = hints.element;
        }
        return true;
    }

    /// The size of a convolution's result, from the input of one of the next operators of its thread, because
    /// strides were not recorded. Empty: none of them reads such a result.
    Dims resultReadNext(EventIndex convolution, const OperatorCall& call)
    {
        const Tensor* const input = call.tensor(0);
        const Tensor* const weight = call.tensor(1);
        if (input == nullptr || weight == nullptr || weight->dims.size() != input->dims.size())
            return {};
        const NvtxTable& nvtx = m_trace.nvtx();
        const ThreadRanges& ranges = m_ranges[nvtx.trackOf(convolution).owner];
        auto next = std::ranges::lower_bound(
            ranges, nvtx.end(convolution), {}, [&](EventIndex i) { return nvtx.start[i]; });
        constexpr int maxOperators = 4;
        for (int i = 0; i < maxOperators && next != ranges.end(); ++i, ++next) {
            const OperatorCall reader = callOfPayload({}, m_trace.text(nvtx.attributesOf(*next).payload));
            const Tensor* const read = reader.tensor(0);
            if (read != nullptr && read->dims.size() == input->dims.size() && read->dim(0) == input->dim(0)
                && read->dim(1) == weight->dim(0))
                return read->dims;
        }
        return {};
    }

    /// Kineto's type for lists of tensors is "TensorList": uses the type of their kernels.
    static bool takeTypesOfLists(OperatorCall& call, const KernelHints& hints)
    {
        bool taken = false;
        for (OperatorArgument& argument : call.arguments) {
            for (Tensor& tensor : argument.tensors) {
                if (!argument.isList || tensor.type != ElementType::Unknown)
                    continue;
                tensor.type = hints.element;
                taken = hints.element != ElementType::Unknown;
            }
        }
        return taken;
    }

    static MathType arithmeticOf(const OperatorCall& call, const KernelHints& hints)
    {
        // A scalar on the GPU does not widen the type.
        MathType type = MathType::Unknown;
        for (const bool isNumber : {false, true}) {
            for (const Tensor* const tensor : call.tensors()) {
                if (type == MathType::Unknown && tensor->dims.empty() == isNumber)
                    type = mathTypeOf(tensor->type);
            }
        }
        const MathType named = hints.math.type;
        const bool narrower = named == MathType::Fp8 || named == MathType::Fp4 || named == MathType::Int8
            || (named == MathType::Tf32 && type == MathType::Fp32);
        return type == MathType::Unknown || narrower ? named : type;
    }

    const Trace& m_trace;
    const OwnWorkModels& m_models;
    const std::stop_token& m_stop;
    RecordedSizes m_sizes;
    std::shared_ptr<const GraphOrigins> m_origins; ///< keeps the traces of captures
    std::map<GlobalId, ThreadRanges> m_ranges;
    std::unordered_map<const Trace*, std::array<std::unordered_map<StringId, OperatorName>, 2>> m_names;
    std::vector<std::uint32_t> m_runOfRange; ///< by event of NVTX
    std::vector<std::vector<std::uint32_t>> m_runOfWork; ///< by kind and event
    std::vector<Found> m_found;
    std::unordered_map<StringId, KernelHints> m_hints; ///< by the kernel's name
    std::map<std::tuple<const Trace*, StringId, StringId, StringId, bool, std::uint64_t>, std::uint32_t>
        m_shapes;
    std::unordered_map<StringId, std::uint32_t> m_kernelShapes;
    OperatorWorks m_works;
};

} // namespace

const OperatorRun* OperatorWorks::runOf(EventRef gpuWork) const
{
    if (gpuWork.kind != EventKind::Kernel || gpuWork.index >= runOfKernel.size()
        || runOfKernel[gpuWork.index] == noIndex)
        return nullptr;
    return &runs[runOfKernel[gpuWork.index]];
}

OperatorWorks findOperatorWorks(const Trace& trace, const std::stop_token& stop)
{
    return findOperatorWorks(trace, ownWorkModels(), stop);
}

OperatorWorks findOperatorWorks(const Trace& trace, const OwnWorkModels& own, const std::stop_token& stop)
{
    return Finder(trace, own, stop).find();
}

std::shared_ptr<const OperatorWorks> operatorWorksOf(const Trace& trace, const std::stop_token& stop)
{
    static KeptAnswers<Links, OperatorWorks> kept;
    if (!trace.links)
        return std::make_shared<const OperatorWorks>(findOperatorWorks(trace, stop));
    return kept.of(trace.links, [&] { return findOperatorWorks(trace, stop); });
}

} // namespace warpline
