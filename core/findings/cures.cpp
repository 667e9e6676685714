#include "core/findings/cures.h"

#include "core/derive/call_kinds.h"
#include "core/findings/ready_input.h"
#include "core/findings/run_facts.h"
#include "core/kernels/kernel_math.h"
#include "core/replay/cure_factors.h"

#include <algorithm>
#include <array>
#include <map>

namespace warpline {

namespace {

/// More stretches than this are not kept for each finding.
constexpr std::size_t mostTimes = 2'000'000;

/// The first kernel among the evidence, which is the worst; not valid(): none.
EventRef worstKernel(const Finding& finding)
{
    for (const Evidence& proof : finding.evidence) {
        if (proof.event.valid() && proof.event.kind == EventKind::Kernel)
            return proof.event;
    }
    return {};
}

/// Work of `kind` that begins in what the finding claims; where it claims nothing, or too much, that has the
/// name of its worst evidence.
CureEdit ofClaims(const RuleContext& context, const Finding& finding, CureKind cure, EventKind kind)
{
    CureEdit edit{.kind = cure, .work = kind};
    if (!finding.claims.empty() && finding.claims.size() <= mostTimes)
        edit.times = finding.claims;
    else if (!finding.evidence.empty() && finding.evidence.front().event.valid())
        edit.name = context.trace.name(finding.evidence.front().event);
    return edit;
}

const Device* deviceOf(const Trace& trace, EventRef work)
{
    const Track& track = trace.track(trace.trackOf(work));
    return trace.device(track.owner, track.device);
}

Cure scaled(const RuleContext& context, const Finding& finding, std::optional<FactorRange> factor)
{
    if (!factor || *factor == FactorRange{})
        return {};
    CureEdit edit = ofClaims(context, finding, CureKind::ScaleWork, EventKind::Kernel);
    edit.factor = *factor;
    return {{std::move(edit)}};
}

/// Products and attention on tensor cores: in TF32 the one, in 16 bits the other, as most programs can.
Cure tensorCores(const RuleContext& context, const Finding& finding)
{
    const EventRef kernel = worstKernel(finding);
    const Device* const device = kernel.valid() ? deviceOf(context.trace, kernel) : nullptr;
    if (!device)
        return {};
    const KernelMath math = mathOf(context.trace.name(kernel));
    constexpr std::int32_t firstWithTf32 = 8; // compute capability
    const MathType to = device->computeMajor < firstWithTf32 ? MathType::Fp16
        : math.work == MathWork::Attention                   ? MathType::Bf16
                                                             : MathType::Tf32;
    return scaled(context, finding, precisionFactor(*device, math.work, MathType::Fp32, to));
}

Cure moreBlocks(const RuleContext& context, const Finding& finding)
{
    const EventRef kernel = worstKernel(finding);
    const Device* const device = kernel.valid() ? deviceOf(context.trace, kernel) : nullptr;
    if (!device)
        return {};
    const KernelLaunch& launch = context.trace.kernels().launch(kernel.index);
    return scaled(context, finding, parallelismFactor(*device, launch.grid.volume(), launch.block.volume()));
}

Cure largerBlocks(const RuleContext& context, const Finding& finding)
{
    const EventRef kernel = worstKernel(finding);
    if (!kernel.valid())
        return {};
    return scaled(
        context, finding, blockSizeFactor(context.trace.kernels().launch(kernel.index).block.volume()));
}

/// The kernels that begin in the first of the finding's time, as one.
Cure fusedChain(const RuleContext& context, const Finding& finding)
{
    constexpr std::size_t sampled = 20'000; // kernels
    const EventRef kernel = worstKernel(finding);
    if (finding.claims.empty() || finding.claims.size() > mostTimes)
        return {};
    const KernelTable& kernels = context.trace.kernels();
    std::map<StringId, FusedPart> parts;
    std::size_t looked = 0;
    const TimeRange all{finding.claims.front().start, finding.claims.back().end};
    for (const Track& track : kernels.tracks) {
        for (const Lane& lane : kernels.lanesOf(track)) {
            const auto [first, last] = kernels.touching(lane, all);
            for (EventIndex i = first; i < last && looked < sampled; ++i) {
                const Ns start = kernels.start[i];
                if (finding.claims.timeIn({start, start + 1}) == 0)
                    continue;
                ++looked;
                FusedPart& part = parts[kernels.name[i]];
                part.launches = part.kernel.empty() ? 1 : part.launches + 1;
                part.kernel = context.trace.text(kernels.name[i]);
                part.time += kernels.duration[i];
            }
        }
    }
    const Device* device = kernel.valid() ? deviceOf(context.trace, kernel) : nullptr;
    if (!device && context.trace.devices.size() == 1)
        device = &context.trace.devices.front();
    std::vector<FusedPart> chain;
    for (const auto& [name, part] : parts)
        chain.push_back(part);
    const auto factor = device ? fusionFactor(*device, chain) : std::nullopt;
    if (!factor)
        return {};
    CureEdit edit = ofClaims(context, finding, CureKind::FuseKernels, EventKind::Kernel);
    edit.factor = *factor;
    return {{std::move(edit)}};
}

Cure readyInput(const RuleContext& context, const Finding& finding)
{
    CureEdit edit{.kind = CureKind::ReadyInput};
    edit.times = finding.process != 0 ? dataLoadingTimes(context.trace, finding.process, context.stop)
                                      : finding.claims;
    return edit.times.empty() ? Cure{} : Cure{{std::move(edit)}};
}

Cure ready(const RuleContext&, const Finding& finding)
{
    if (finding.claims.empty())
        return {};
    return {{{.kind = CureKind::ReadyInput, .times = finding.claims}}};
}

template <CureKind kind> Cure simply(const RuleContext&, const Finding&)
{
    return {{{.kind = kind}}};
}

Cure withoutFills(const RuleContext& context, const Finding& finding)
{
    CureEdit edit = ofClaims(context, finding, CureKind::RemoveWork, EventKind::Kernel);
    edit.work.reset(); // memsets are fills as well
    return edit.times.empty() && edit.name.empty() ? Cure{} : Cure{{std::move(edit)}};
}

Cure withoutCopies(const RuleContext& context, const Finding& finding)
{
    CureEdit edit = ofClaims(context, finding, CureKind::RemoveWork, EventKind::Memcpy);
    return edit.times.empty() && edit.name.empty() ? Cure{} : Cure{{std::move(edit)}};
}

/// The calls of the name that the finding shows: others may wait for a reason.
Cure withoutSyncs(const RuleContext& context, const Finding& finding)
{
    CureEdit edit{.kind = CureKind::RemoveSync};
    for (const Evidence& proof : finding.evidence) {
        if (proof.event.valid() && proof.event.kind == EventKind::ApiCall) {
            edit.name = bareCallName(context.trace.name(proof.event));
            break;
        }
    }
    return edit.name.empty() ? Cure{} : Cure{{std::move(edit)}};
}

struct CureOfRule {
    std::string_view rule;
    Cure (*make)(const RuleContext&, const Finding&);
};

constexpr std::array curesOfRules{CureOfRule{"allocation_in_loop", simply<CureKind::PoolAllocations>},
    CureOfRule{"sync_per_iteration", withoutSyncs}, CureOfRule{"cuda_api_sync", withoutSyncs},
    CureOfRule{"launch_bound", simply<CureKind::LaunchGraph>},
    CureOfRule{"kernel_storm", simply<CureKind::LaunchGraph>},
    CureOfRule{"short_kernels", simply<CureKind::LaunchGraph>},
    CureOfRule{"copies_not_overlapped", simply<CureKind::OverlapCopies>},
    CureOfRule{"pageable_copies", simply<CureKind::AsyncCopies>},
    CureOfRule{"cuda_memcpy_sync", simply<CureKind::AsyncCopies>},
    CureOfRule{"cuda_memcpy_async", simply<CureKind::AsyncCopies>},
    CureOfRule{"tiny_copies", simply<CureKind::MergeCopies>}, CureOfRule{"repeated_uploads", withoutCopies},
    CureOfRule{"copy_round_trips", withoutCopies},
    CureOfRule{"nccl_exposed", simply<CureKind::OverlapCommunication>},
    CureOfRule{"unified_memory_faults", simply<CureKind::PrefetchPages>},
    CureOfRule{"nvtx_outlier_steps", simply<CureKind::EvenSteps>}, CureOfRule{"data_starvation", readyInput},
    CureOfRule{"staged_uploads", ready}, CureOfRule{"no_tensor_cores", tensorCores},
    CureOfRule{"tiny_grid", moreBlocks}, CureOfRule{"small_blocks", largerBlocks},
    CureOfRule{"elementwise_chains", fusedChain}, CureOfRule{"memory_fills", withoutFills}};

} // namespace

Cure cureFor(const RuleContext& context, const Finding& finding)
{
    const auto* const found = std::ranges::find(curesOfRules, finding.rule, &CureOfRule::rule);
    return found != curesOfRules.end() ? found->make(context, finding) : Cure{};
}

} // namespace warpline
