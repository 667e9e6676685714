// Matrix products and convolutions whose names show single precision on ordinary cores although the GPU has
// tensor cores. Where the report samples the tensor pipes, the metric confirms or refutes the names.

#include "core/analysis/trace_analysis.h"
#include "core/base/message_names.h"
#include "core/base/share.h"
#include "core/base/stop.h"
#include "core/derive/communication.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/findings/gpu_metrics.h"
#include "core/findings/host_calls.h"
#include "core/findings/kernel_totals.h"
#include "core/gpus/gpu_peaks.h"
#include "core/kernels/kernel_math.h"
#include "core/replay/cure_factors.h"
#include "core/store/event_loops.h"
#include "core/store/gpu_names.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <vector>

namespace warpline::no_tensor_cores {

namespace {

constexpr std::string_view id = "no_tensor_cores";
constexpr Threshold minShare{"min_share", "Minimum share of the measured time", "%", 2};
constexpr Threshold minKernelShare{"min_kernel_share", "Minimum share of the kernels' time", "%", 10};
constexpr Threshold refutingTensorActive{
    "refuting_tensor_active", "Tensor pipes this busy in them refute the names", "%", 15};
constexpr std::array thresholds{minShare, minKernelShare, refutingTensorActive};

/// How many times faster the tensor cores of a GPU multiply than its ordinary cores do in FP32, and which
/// types they know.
struct TensorPeak {
    double half = 2; ///< FP16 or BF16, whichever is faster
    double single = 1; ///< TF32; 1: it gains nothing
    std::string_view topic; ///< of the advice: which types this GPU gains from
};

TensorPeak peakOf(const Device& device)
{
    TypeRates vector;
    TypeRates tensor;
    if (const auto peaks = peaksOf(device)) {
        vector = peaks->vector;
        tensor = peaks->tensor;
    } else if (const CycleRates* const rates = cycleRatesOf(device.computeMajor, device.computeMinor)) {
        vector = rates->vector;
        tensor = rates->tensor;
    }
    TensorPeak peak;
    if (vector.fp32 > 0) {
        peak.half = std::max({peak.half, tensor.fp16 / vector.fp32, tensor.bf16 / vector.fp32});
        peak.single = std::max(peak.single, tensor.tf32 / vector.fp32);
    }
    if (device.name.find("GeForce") != std::string::npos)
        peak.half *= 2; // with sums in FP16
    peak.topic = tensor.bf16 <= 0 ? "no_tensor_cores.fp16" : peak.single >= 4 ? id : "no_tensor_cores.half";
    return peak;
}

Message remedyFor(std::string_view topic)
{
    const auto multiples = [] {
        return Message("no_tensor_cores.multiples",
            "With sizes that are multiples of 8, every product uses tensor cores.");
    };
    if (topic == "no_tensor_cores.fp16")
        return Message("no_tensor_cores.use_fp16",
                   "Use mixed precision in FP16: the tensor cores of this GPU support neither BF16 nor TF32.")
            + multiples();
    if (topic == "no_tensor_cores.attention")
        return Message("no_tensor_cores.use_attention",
                   "Compute attention in BF16 or FP16: FlashAttention and cuDNN take no other types.")
            + Message("no_tensor_cores.not_tf32", "TF32 for products does not change it.");
    if (topic == "no_tensor_cores.half")
        return Message("no_tensor_cores.use_half",
                   "Use mixed precision (BF16, FP16): on this GPU, TF32 gains little over FP32.")
            + multiples();
    if (topic == "no_tensor_cores.host")
        return Message("no_tensor_cores.use_tf32",
                   "First use TF32 for FP32 data: it adds no launch (cuBLAS with CUBLAS_COMPUTE_32F_FAST_TF32).")
            + Message("no_tensor_cores.conversions",
                "Mixed precision (BF16, FP16) computes faster still, but its conversions are launches, and the host "
                "already limits the pace.")
            + Message("no_tensor_cores.fewer_launches", "Remove launches at the same time.");
    return {};
}

constexpr std::string_view shareId = "tensor_core_share";
constexpr Threshold shareMinShare{"min_share", "Minimum share of products in the kernels' time", "%", 2};
constexpr std::array shareThresholds{shareMinShare};

bool hasTensorCores(const Device* device)
{
    // Compute capability 7.5 without them: the GTX 16 series.
    return device && device->computeMajor >= 7 && device->name.find("GTX 16") == std::string::npos
        && device->name.find("MX450") == std::string::npos;
}

/// Kernels of one name on one GPU.
struct NamedKernels {
    Ns time = 0;
    EventIndex one = 0; ///< any of them
    KernelMath math;
};

/// The matrix products of one GPU's kernels, by type and unit.
struct MatrixWork {
    /// FP32 products known to run on ordinary cores, and attention on FP32 operands, which uses tensor cores
    /// for three TF32 products each, if at all.
    std::vector<NamedKernels> simt;
    Ns simtTime = 0;
    Ns attentionTime = 0; ///< of it
    std::map<MathType, Ns> tensor; ///< on tensor cores, including attention
    Ns tensorTime = 0;
    std::map<MathType, Ns> ordinary; ///< products of matrices on the ordinary cores
    Ns ordinaryTime = 0;
    Ns unknownTime = 0; ///< products whose names do not show the unit
    Ns kernelTime = 0;
    const Device* device = nullptr;
};

using Key = std::pair<GlobalId, std::int32_t>;

void add(MatrixWork& work, const NamedKernels& kernels)
{
    const auto& [time, one, math] = kernels;
    work.kernelTime += time;
    if (math.work != MathWork::Matrix && math.work != MathWork::Attention)
        return;
    const bool isSingle = math.type == MathType::Fp32 || math.type == MathType::Tf32;
    if (math.work == MathWork::Attention && isSingle) {
        work.simt.push_back(kernels);
        work.simtTime += time;
        work.attentionTime += time;
    }
    if (math.unit == MathUnit::Tensor) {
        work.tensor[math.type] += time;
        work.tensorTime += time;
    } else if (math.unit == MathUnit::Unknown) {
        work.unknownTime += time;
    } else if (math.work == MathWork::Matrix) {
        work.ordinary[math.type] += time;
        work.ordinaryTime += time;
        if (math.type != MathType::Fp32)
            return;
        work.simtTime += time;
        work.simt.push_back(kernels);
    }
}

/// Calls visit(key, device, kernel) for the kernels that compute in `range` on GPUs with tensor cores.
template <typename Visit> void forEachKernel(const RuleContext& context, TimeRange range, const Visit& visit)
{
    const KernelTable& kernels = context.trace.kernels();
    const CommunicationKernels communicates(context.trace);
    for (const Track& track : kernels.tracks) {
        const Device* const device = context.trace.device(track.owner, track.device);
        if (!hasTensorCores(device))
            continue;
        const Key key{track.owner, track.device};
        for (const EventIndex i : eventsIn(kernels, track, range, context.stop)) {
            if (!communicates[i])
                visit(key, device, i);
        }
    }
}

/// The matrix work inside `range`.
std::map<Key, MatrixWork> measure(const RuleContext& context, TimeRange range)
{
    const KernelTable& kernels = context.trace.kernels();
    std::vector<std::uint32_t> numbers(context.trace.pool->size(), noIndex); // by name: names are few
    std::vector<KernelMath> maths; // by number
    struct Gpu {
        const Device* device = nullptr;
        std::vector<NamedKernels> named; // by number
    };
    std::map<Key, Gpu> gpus;
    Key last;
    Gpu* gpu = nullptr;
    forEachKernel(context, range, [&](const Key& key, const Device* device, EventIndex i) {
        if (!gpu || key != last) {
            gpu = &gpus[key];
            gpu->device = device;
            last = key;
        }
        std::uint32_t& number = numbers[raw(kernels.name[i])];
        if (number == noIndex) {
            number = static_cast<std::uint32_t>(maths.size());
            maths.push_back(mathOf(context.trace.text(kernels.name[i])));
        }
        if (number >= gpu->named.size())
            gpu->named.resize(maths.size());
        gpu->named[number].time += kernels.range(i).clippedTo(range).duration();
        gpu->named[number].one = i;
    });
    std::map<Key, MatrixWork> found;
    for (auto& [key, each] : gpus) {
        MatrixWork& work = found[key];
        work.device = each.device;
        for (std::size_t number = 0; number < each.named.size(); ++number) {
            each.named[number].math = maths[number];
            if (each.named[number].time > 0)
                add(work, each.named[number]);
        }
    }
    return found;
}

/// "GPU 0: 48 ms of matrix work runs without tensor cores"; attention in FP32 uses them badly.
Message titleOf(const RuleContext& context, const Key& key, const MatrixWork& matrix)
{
    return {"no_tensor_cores.title",
        "{gpu}: {time} of {kind, select, products {matrix work runs without tensor cores} attention {attention computes in "
        "FP32} other {matrix work and attention computes in FP32}}",
        {{"gpu", Name{gpuName(context.trace, key.first, key.second)}}, {"time", Duration{matrix.simtTime}},
            {"kind",
                Name{matrix.attentionTime == 0                    ? "products"
                        : matrix.attentionTime == matrix.simtTime ? "attention"
                                                                  : "both"}}}};
}

/// The kernels of `key` in `range` that are of the names in `simt`.
std::vector<EventRef> kernelsOf(
    const RuleContext& context, const Key& key, TimeRange range, const std::vector<NamedKernels>& simt)
{
    const KernelTable& kernels = context.trace.kernels();
    std::vector<bool> isOne(context.trace.pool->size());
    for (const NamedKernels& each : simt)
        isOne[raw(kernels.name[each.one])] = true;
    std::vector<EventRef> events;
    forEachKernel(context, range, [&](const Key& place, const Device*, EventIndex i) {
        if (place == key && isOne[raw(kernels.name[i])])
            events.push_back({EventKind::Kernel, i});
    });
    return events;
}

/// True when graphs traced as a whole hide most of the computing of `key`.
bool isHidden(const RuleContext& context, const Key& key, TimeRange range, Ns kernelTime)
{
    const auto& gpus = context.facts.gpus();
    const auto gpu = std::ranges::find_if(
        gpus, [&](const GpuFacts& each) { return each.process == key.first && each.device == key.second; });
    return gpu != gpus.end() && graphTimeOf(context.trace, *gpu, range) > kernelTime;
}

/// Upper bound of the saving by types with fewer bits: products at 60% of the ordinary cores' peak may reach
/// all of the tensor cores'. FP32 attention reaches half of it at best, because its kernels are older and
/// keep twice the bytes.
Ns mostSaved(const MatrixWork& work, const TensorPeak& peak)
{
    constexpr double reached = 0.6;
    const double most = std::max(peak.half, peak.single);
    const auto products = static_cast<double>(work.simtTime - work.attentionTime);
    const auto attention = static_cast<double>(work.attentionTime);
    return static_cast<Ns>(products * (1 - reached / most) + attention * (1 - 1 / (2 * most)));
}

/// The kernels that take most.
std::vector<Message> longestNames(const Trace& trace, const std::vector<NamedKernels>& kernels)
{
    std::map<std::string, Ns> times; // several names may be shown alike
    for (const NamedKernels& each : kernels)
        times[std::string(trace.displayName({EventKind::Kernel, each.one}))] += each.time;
    std::vector<std::pair<Ns, std::string>> sorted;
    for (const auto& [name, time] : times)
        sorted.emplace_back(time, name);
    std::ranges::sort(sorted, std::greater{});
    std::vector<Message> list;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, sorted.size()); ++i)
        list.push_back(Message("no_tensor_cores.kernel", "{kernel} ({time})",
            {{"kernel", Name{sorted[i].second}}, {"time", Duration{sorted[i].first}}}));
    return list;
}

/// What is slow, and its share of the kernels' time.
Message messageOf(const Trace& trace, const MatrixWork& matrix)
{
    const Ns products = matrix.simtTime - matrix.attentionTime;
    const auto share = [&](Ns time) { return Share{shareOf(time, matrix.kernelTime)}; };
    Message text;
    if (products > 0)
        text
            = Message("no_tensor_cores.products",
                  "Matrix products and convolutions compute in FP32 on the ordinary cores of {gpu} for {time}, {share} of "
                  "kernel time.",
                  {{"gpu", Name{std::string(matrix.device->name)}}, {"time", Duration{products}},
                      {"share", share(products)}})
            + Message("no_tensor_cores.on_tensor_cores",
                "{some, select, yes {{time} of kernels run} other {No kernel is known to run}} on tensor cores.",
                {{"some", yesOrNo(matrix.tensorTime > 0)}, {"time", Duration{matrix.tensorTime}}});
    if (matrix.attentionTime > 0) {
        text += Message("no_tensor_cores.attention_time",
            "{time} of attention, {share} of kernel time, has FP32 operands, which FlashAttention and cuDNN do not take.",
            {{"time", Duration{matrix.attentionTime}}, {"share", share(matrix.attentionTime)}});
        text += Message(
            "no_tensor_cores.three_products", "Tensor cores need three TF32 products for each FP32 product.");
    }
    text += Message("no_tensor_cores.longest", "The longest are {kernels}.",
        {{"kernels", longestNames(trace, matrix.simt)}});
    return text;
}

/// Products in TF32, which needs no other data, else in 16 bits; attention in BF16.
Cure cureOf(const RuleContext& context, const Key& key, TimeRange range, const MatrixWork& matrix)
{
    Cure cure;
    const TensorPeak peak = peakOf(*matrix.device);
    const MathType half = peak.topic == "no_tensor_cores.fp16" ? MathType::Fp16 : MathType::Bf16;
    for (const MathWork work : {MathWork::Matrix, MathWork::Attention}) {
        std::vector<NamedKernels> names;
        std::ranges::copy_if(matrix.simt, std::back_inserter(names),
            [&](const NamedKernels& each) { return each.math.work == work; });
        const MathType to = work == MathWork::Matrix && peak.single >= 2 ? MathType::Tf32 : half;
        const auto factor = precisionFactor(*matrix.device, work, MathType::Fp32, to);
        if (!names.empty() && factor)
            cure.edits.push_back(editOf(CureKind::ScaleWork, kernelsOf(context, key, range, names), *factor));
    }
    return cure;
}

/// The work of a GPU on ordinary cores that is worth a finding.
struct OrdinaryWork {
    MatrixWork matrix;
    std::vector<EventRef> simt;
    Intervals claims;
    std::optional<double> active; ///< tensor pipes, in percent
};

/// That of the GPUs that have such work in `measured`.
std::map<Key, OrdinaryWork> ordinaryWork(const RuleContext& context, TimeRange measured)
{
    std::map<Key, OrdinaryWork> found;
    for (auto& [key, matrix] : measure(context, measured)) {
        const double time = static_cast<double>(matrix.simtTime);
        if (!context.reachesShare(id, minShare, time, context.facts.measured())
            || !context.reachesShare(id, minKernelShare, time, matrix.kernelTime) || matrix.simt.empty()
            || isHidden(context, key, measured, matrix.kernelTime))
            continue;
        std::vector<EventRef> simt = kernelsOf(context, key, measured, matrix.simt);
        Intervals claims = timeOf(context.trace, simt, measured);
        const std::optional<double> active
            = meanOfMetric(context.trace, "Tensor Active", matrix.device->id, claims);
        if (active && *active >= context.threshold(id, refutingTensorActive) && matrix.attentionTime == 0)
            continue; // the names mislead
        found[key] = {std::move(matrix), std::move(simt), std::move(claims), active};
    }
    return found;
}

std::vector<Finding> findSimt(const RuleContext& context)
{
    std::vector<Finding> findings;
    // Launches before the steady steps do not count for the saving.
    const TimeRange measured = context.facts.measuredRange();
    for (auto& [key, work] : ordinaryWork(context, measured)) {
        const MatrixWork& matrix = work.matrix;
        const std::optional<double>& active = work.active;
        const TensorPeak peak = peakOf(*matrix.device);
        const Ns most = mostSaved(matrix, peak);
        const Ns slack = hostSlack(context, key.first);
        const bool hostPaces = slack > 0 && slack < most;
        Finding finding = findingOn(context, key.first, key.second, hostPaces ? slack : most);
        finding.claims = std::move(work.claims);
        finding.confidence = active && matrix.attentionTime == 0 ? Confidence::Certain : Confidence::Likely;
        finding.topic = hostPaces && peak.topic == id ? "no_tensor_cores.host" : peak.topic;
        if (matrix.attentionTime * 2 > matrix.simtTime && peak.topic == id)
            finding.topic = "no_tensor_cores.attention";
        finding.remedy = remedyFor(finding.topic);
        finding.title = titleOf(context, key, matrix);
        finding.message = messageOf(context.trace, matrix);
        if (hostPaces)
            finding.message += Message("no_tensor_cores.host_paces",
                "The host waits only {time} for the GPU: after that, its launches set the pace.",
                {{"time", Duration{slack}}});
        if (active && matrix.attentionTime == 0)
            finding.message += Message("no_tensor_cores.metric",
                "GPU metrics confirm it: the tensor pipes are {active}% active in these kernels.",
                {{"active", Number{*active, 1}}});
        finding.cure = cureOf(context, key, measured, matrix);
        longestToFront(context.trace, work.simt);
        setEvidence(finding, context.trace, work.simt,
            {"no_tensor_cores.fp32", "FP32{attention, select, no { without tensor cores} other {}}",
                {{"attention", Name{matrix.attentionTime == 0 ? "no" : "yes"}}}});
        findings.push_back(std::move(finding));
    }
    return findings;
}

/// Shares of kernel time by type, the largest first: "TF32 61.2%", "FP16 12.0%".
Message typeText(MathType type)
{
    return {"tensor_core_share.math",
        "{type, select, unknown {other types} int4 {INT4 weights} any16 {16-bit types} other {{name}}}",
        {{"type",
             Name{type == MathType::Unknown    ? "unknown"
                     : type == MathType::Int4  ? "int4"
                     : type == MathType::Any16 ? "any16"
                                               : "other"}},
            {"name", Name{std::string(labelOf(type))}}}};
}

std::vector<Message> sharesText(const std::map<MathType, Ns>& times, Ns whole)
{
    std::vector<std::pair<Ns, MathType>> sorted;
    for (const auto& [type, time] : times)
        sorted.emplace_back(time, type);
    std::ranges::sort(sorted, std::greater{});
    std::vector<Message> list;
    for (const auto& [time, type] : sorted)
        list.push_back(Message("tensor_core_share.type", "{type} {share}",
            {{"type", typeText(type)}, {"share", Share{shareOf(time, whole)}}}));
    return list;
}

/// The share of the kernels' time on tensor cores, by type: always reported.
std::vector<Finding> findShares(const RuleContext& context)
{
    std::vector<Finding> findings;
    const std::map<Key, MatrixWork> works = measure(context, context.window);
    const bool isAnyOrdinary = std::ranges::any_of(
        works, [](const auto& each) { return each.second.simtTime > each.second.tensorTime; });
    const auto ordinary = isAnyOrdinary ? ordinaryWork(context, context.facts.measuredRange())
                                        : std::map<Key, OrdinaryWork>();
    for (const auto& [key, work] : works) {
        const Ns products = work.tensorTime + work.ordinaryTime + work.unknownTime;
        if (work.tensorTime == 0 || isHidden(context, key, context.window, work.kernelTime)
            || !context.reachesShare(shareId, shareMinShare, products, work.kernelTime))
            continue;
        const auto share = [&](Ns time) { return Share{shareOf(time, work.kernelTime)}; };
        Finding finding = findingWith(Severity::Info, Confidence::Likely, key.first, key.second);
        finding.title = Message("tensor_core_share.title",
            "{gpu}: {share} of kernel time runs on tensor cores ({types})",
            {{"gpu", Name{gpuName(context.trace, key.first, key.second)}}, {"share", share(work.tensorTime)},
                {"types", sharesText(work.tensor, work.kernelTime)}});
        finding.message = Message("tensor_core_share.time",
            "By their names, kernels of {time} run matrix products or attention on the tensor cores of {gpu}: {types} of "
            "kernel time.",
            {{"time", Duration{work.tensorTime}},
                {"gpu",
                    Name{work.device->name.empty() ? gpuName(context.trace, key.first, key.second)
                                                   : std::string(work.device->name)}},
                {"types", sharesText(work.tensor, work.kernelTime)}});
        if (work.ordinaryTime > 0)
            finding.message
                += Message("tensor_core_share.ordinary", "Products on the ordinary cores take {types}.",
                    {{"types", sharesText(work.ordinary, work.kernelTime)}});
        const auto first = ordinary.find(key);
        if (work.simtTime > work.tensorTime && first != ordinary.end())
            finding.remedy = Message("tensor_core_share.ordinary_first",
                "First fix the products on the ordinary cores: see \"{finding}\".",
                {{"finding", titleOf(context, key, first->second.matrix)}});
        if (work.unknownTime > 0)
            finding.message += Message("tensor_core_share.unknown",
                "The names of other kernels ({share}) do not show where they run.",
                {{"share", share(work.unknownTime)}});
        if (work.tensor.size() == 1 && work.tensor.contains(MathType::Fp64))
            finding.remedy = Message("tensor_core_share.fp64",
                "Nothing to fix: double-precision products already run on the tensor cores.");
        finding.where = context.window;
        findings.push_back(std::move(finding));
    }
    return findings;
}

bool knowsTensorCores(const Trace& trace, const std::stop_token&)
{
    return std::ranges::any_of(trace.devices, [](const Device& device) { return hasTensorCores(&device); })
        && !trace.kernels().empty();
}

} // namespace

extern constinit const Rule noTensorCores{
    .id = id,
    .title = "Matrix work without tensor cores",
    .why
    = "Tensor cores multiply matrices seven to sixteen times faster than the ordinary cores (twice as fast on "
      "GeForce, in FP16 and BF16). FP32 work that does not use them leaves most of the GPU's arithmetic idle.",
    .remedy
    = "Use mixed precision (BF16, FP16), or TF32 for FP32 data: cuBLAS with CUBLAS_COMPUTE_32F_FAST_TF32. With "
      "sizes that are multiples of 8 (FP16, BF16), every product uses tensor cores.",
    .caveat = "Based on kernel names, some of which say nothing. FP32 precision may be required.",
    .thresholds = thresholds,
    .applies = knowsTensorCores,
    .check = findSimt,
};

extern constinit const Rule tensorCoreShare{
    .id = shareId,
    .title = "Tensor core use",
    .why
    = "Tensor cores do most of the arithmetic that the GPU can do. The share of time in which they are used, and the "
      "type, show whether a smaller type would help.",
    .remedy
    = "Nothing to fix. Smaller types (BF16, FP8) multiply faster where the results stay accurate enough. If the "
      "share is low, look at other kernels first.",
    .caveat = "Based on kernel names, some of which say nothing.",
    .thresholds = shareThresholds,
    .applies = knowsTensorCores,
    .check = findShares,
};

} // namespace warpline::no_tensor_cores
