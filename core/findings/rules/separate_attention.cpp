// Attention that runs as separate kernels: a product, scaling and masking, a softmax, a product. Each writes
// the matrix of all scores to memory, and the next one reads it again.

#include "core/analysis/trace_analysis.h"
#include "core/base/ascii_case.h"
#include "core/base/share.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/kernels/kernel_classes.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace warpline::separate_attention {

namespace {

constexpr std::string_view id = "separate_attention";
constexpr Threshold minShare{"min_share", "Minimum share of the measured time saved", "%", 5};
constexpr Threshold minCount{"min_count", "Minimum number of softmaxes", "", 4};
constexpr std::array thresholds{minShare, minCount};
// They see kernels between the two products.
constexpr std::array<std::string_view, 2> absorbed{"elementwise_chains", "below_roofline"};
constexpr std::size_t mostBetween = 8; ///< kernels between a product and its softmax
/// What fused attention takes of the time of the products that it replaces. Measured on an H200: 0.31 and
/// 0.34 of causal attention, half of which is skipped; 0.50 backward.
constexpr FactorRange ofProducts{0.25, 0.5, 1};
constexpr double leastOfProducts = 0.1;
/// Of the time of an attention, in its softmax and elementwise kernels. Recordings have 0.87.
constexpr double leastBetween = 0.25;

enum class Role : std::uint8_t { Other, Product, Elementwise, Softmax, SoftmaxBackward };

Role roleOf(std::string_view kernel)
{
    const KernelClassRules& rules = kernelClassRules();
    const std::string_view kind = rules.classes()[rules.classOf(kernel)].id;
    if (kind == "gemm")
        return Role::Product;
    if (kind == "softmax")
        return lowered(kernel).find("backward") == std::string::npos ? Role::Softmax : Role::SoftmaxBackward;
    const bool passes = kind == "elementwise" || kind == "memory" || kind == "activation" || kind == "random";
    return passes ? Role::Elementwise : Role::Other;
}

struct Attention {
    std::vector<EventRef> kernels;
    std::vector<EventRef> copies; ///< within the GPU, between them
    std::vector<EventRef> softmaxes;
    Ns time = 0;
    Ns products = 0; ///< of it
};

/// The work of a stream, in its order.
class Sequence {
public:
    void add(EventRef work, Ns time, Role role)
    {
        m_order.push_back(work);
        m_times.push_back(time);
        m_roles.push_back(role);
    }

    void addTo(Attention& found) const
    {
        std::size_t free = 0; // the first that is of no attention yet
        for (std::size_t i = 0; i < m_order.size(); ++i) {
            const bool backward = m_roles[i] == Role::SoftmaxBackward;
            if (!backward && m_roles[i] != Role::Softmax)
                continue;
            std::size_t first = i;
            while (first > free && i - first < mostBetween && m_roles[first - 1] == Role::Elementwise)
                --first;
            std::size_t last = i;
            while (
                last + 1 < m_order.size() && last - i < mostBetween && m_roles[last + 1] == Role::Elementwise)
                ++last;
            if (first == free || !isProduct(first - 1) || !isProduct(last + 1))
                continue;
            --first;
            ++last;
            // Backward there is a product for each operand.
            if (backward && first > free && isProduct(first - 1))
                --first;
            if (backward && isProduct(last + 1))
                ++last;
            Ns time = 0;
            Ns products = 0;
            for (std::size_t k = first; k <= last; ++k) {
                time += m_times[k];
                products += isProduct(k) ? m_times[k] : 0;
            }
            // A softmax that is small beside its products ends a network, or routes tokens.
            if (static_cast<double>(time - products) < leastBetween * static_cast<double>(time))
                continue;
            found.time += time;
            found.products += products;
            for (std::size_t k = first; k <= last; ++k)
                (m_order[k].kind == EventKind::Kernel ? found.kernels : found.copies).push_back(m_order[k]);
            found.softmaxes.push_back(m_order[i]);
            free = last + 1;
        }
    }

private:
    bool isProduct(std::size_t i) const { return i < m_roles.size() && m_roles[i] == Role::Product; }

    std::vector<EventRef> m_order;
    std::vector<Ns> m_times;
    std::vector<Role> m_roles;
};

Attention attentionOn(const RuleContext& context, const GpuFacts& gpu)
{
    const Trace& trace = context.trace;
    const TimeRange measured = context.facts.measuredRange();
    OncePerName roleOfName([&](StringId name) { return roleOf(trace.text(name)); });
    const auto roleOfWork = [&](EventRef work) {
        if (work.kind == EventKind::Memcpy && trace.memcpys().copy(work.index).kind == CopyKind::DtoD)
            return Role::Elementwise;
        return work.kind == EventKind::Kernel ? roleOfName(trace.kernels().name[work.index]) : Role::Other;
    };
    const auto hasSoftmax = [&] {
        for (const std::uint32_t packed : stoppableItems(gpu.work, context.stop)) {
            const Role role = roleOfWork(Links::unpack(packed));
            if (role == Role::Softmax || role == Role::SoftmaxBackward)
                return true;
        }
        return false;
    };
    if (!hasSoftmax())
        return {};
    std::map<std::pair<std::int32_t, std::int32_t>, Sequence> streams; // by context
    for (const std::uint32_t packed : stoppableItems(gpu.work, context.stop)) {
        const EventRef work = Links::unpack(packed);
        const Ns time = trace.range(work).clippedTo(measured).duration();
        if (time <= 0 || work.kind == EventKind::Memset) // products clear their counters
            continue;
        const Track& track = trace.table(work.kind).trackOf(work.index);
        streams[{track.context, track.stream}].add(work, time, roleOfWork(work));
    }
    Attention found;
    for (const auto& [stream, sequence] : streams)
        sequence.addTo(found);
    return found;
}

void findAttention(const RuleContext& context, const GpuFacts& gpu, std::vector<Finding>& findings)
{
    Attention found = attentionOn(context, gpu);
    std::vector<EventRef> all = found.kernels;
    all.insert(all.end(), found.copies.begin(), found.copies.end());
    Intervals claims = timeOf(context.trace, all, context.facts.measuredRange());
    // Several streams may run at once.
    const double atOnce = shareOf(totalTime(claims), found.time);
    const double products = atOnce * static_cast<double>(found.products);
    const Ns time = totalTime(claims);
    const auto saved = static_cast<Ns>(static_cast<double>(time) - leastOfProducts * products);
    if (!context.reaches(id, minCount, found.softmaxes.size())
        || !context.reachesShare(id, minShare, saved, context.facts.measured()))
        return;
    Finding finding = findingOn(context, gpu.process, gpu.device, saved);
    finding.claims = std::move(claims);
    finding.title = Message("separate_attention.title",
        "{gpu}: attention runs as separate kernels around {softmaxes} softmaxes",
        {{"gpu", Name{nameOf(context.trace, gpu)}}, {"softmaxes", Count{found.softmaxes.size()}}});
    finding.message = Message("separate_attention.time",
        "Softmaxes, the products around them and what runs in between take {time}, {share} of the measured time.",
        {{"time", Duration{time}}, {"share", Share{shareOf(time, context.facts.measured())}}});
    finding.message += Message("separate_attention.products",
        "The products alone take {time}. Fused attention takes about half of that.",
        {{"time", Duration{static_cast<Ns>(products)}}});
    if (!found.copies.empty())
        finding.cure.edits.push_back(editOf(CureKind::RemoveWork, found.copies));
    const Ns ofKernels = totalDuration(context.trace, found.kernels);
    const double share = shareOf(found.products, std::max<Ns>(ofKernels, 1));
    finding.cure.edits.push_back(editOf(CureKind::FuseKernels, found.kernels,
        {ofProducts.low * share, ofProducts.expected * share, ofProducts.high * share}));
    longestToFront(context.trace, found.softmaxes);
    setEvidence(
        finding, context.trace, found.softmaxes, {"separate_attention.note", "softmax between two products"});
    findings.push_back(std::move(finding));
}

} // namespace

extern constinit const Rule separateAttention{
    .id = id,
    .title = "Attention in separate kernels",
    .why
    = "Separate kernels write the matrix of all scores to memory and read it again, several times. Fused attention keeps it on the multiprocessor.",
    .remedy = "Use fused attention (FlashAttention), of the framework or of cuDNN.",
    .caveat
    = "A softmax between two products may belong to something else. Fused attention returns no attention weights.",
    .thresholds = thresholds,
    .applies = hasEvents<EventKind::Kernel>,
    .checkGpu = findAttention,
    .absorbs = absorbed,
};

} // namespace warpline::separate_attention
