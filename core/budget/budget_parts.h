#pragma once

#include "core/analysis/idle_cause.h"
#include "core/base/message.h"
#include "core/kernels/kernel_classes.h"
#include "core/store/gpu_names.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpline {

/// Groups of parts of a GPU's time.
enum class BudgetGroup : std::uint8_t { Compute, Communication, Copies, Idle };
std::string_view keyOf(BudgetGroup group); ///< "compute", "communication", "copies", "idle"

/// BudgetPart::id of the time for pages of unified memory, in the group Copies.
inline constexpr std::string_view pagesPart = "wait_for_pages";

/// One part of a GPU's time. Parts are disjoint, and together they are the whole.
struct BudgetPart {
    std::string id; ///< "compute_gemm", "idle_own_code:load": in JSON and CSV
    Message title; ///< "Matrix products", "Idle: own code in load"
    /// The same without its group: "own code in load". Comparisons of runs and ranks show nameOfPart() of the
    /// id, with the pattern of ranges: another run may have other numbers.
    Message name;
    BudgetGroup group = BudgetGroup::Idle;
    IdleCause cause = IdleCause::NoWork; ///< of group Idle
    std::string range; ///< of idle time inside NVTX ranges: their name, see commonName(); else empty
};

/// The name of the part `id`, of any run; the id itself for an unknown part. `api`: the program's API, unless
/// the id has one: "idle_other_call:HIP". Kernel classes have the titles of `rules`.
Message nameOfPart(std::string_view id, GpuApi api, const KernelClassRules& rules = kernelClassRules());
/// BudgetPart::title of a part with this name.
Message titleOfPart(BudgetGroup group, Message name);
/// The same within a sentence: "idle: own code in load".
Message titleInSentence(BudgetGroup group, Message name);

/// Whether the GPU idles for the host in the part `id`.
bool isOfHost(BudgetGroup group, std::string_view id);

/// The parts that a report's GPUs spend time in: first those that every report has, then those named by NVTX
/// ranges.
class BudgetParts {
public:
    explicit BudgetParts(const KernelClassRules& rules, GpuApi api = GpuApi::Cuda);

    const BudgetPart& operator[](std::size_t part) const { return m_parts[part]; }
    std::size_t size() const { return m_parts.size(); }
    std::span<const BudgetPart> all() const { return m_parts; }
    GpuApi api() const { return m_api; } ///< the API that the titles name

    /// Kernels of class `kernelClass`; not for the class of communication.
    std::size_t compute(std::size_t kernelClass) const { return kernelClass; }
    std::size_t pages() const { return m_pages; } ///< kernels wait for pages of unified memory, or pages move
    std::size_t wait() const { return m_pages + 1; } ///< communication that nothing hides: for other ranks
    std::size_t transfer() const { return m_pages + 2; } ///< communication that does not wait
    /// Exposed communication whose waiting share is unknown, because only one rank's report is open.
    std::size_t unsplit() const { return m_pages + 7; }
    std::size_t copyToGpu() const { return m_pages + 3; }
    std::size_t copyToHost() const { return m_pages + 4; }
    std::size_t copyOther() const { return m_pages + 5; } ///< within a GPU, between GPUs
    std::size_t set() const { return m_pages + 6; }
    std::size_t idle(IdleCause cause) const { return m_pages + 8 + indexOf(cause); }
    /// The part for `cause` (see isByRange()) inside an NVTX range, added when new; beyond a limit of names,
    /// later ranges share one part.
    std::size_t idleIn(IdleCause cause, std::string_view range);

private:
    void add(std::string id, BudgetGroup group, IdleCause cause = IdleCause::NoWork,
        const KernelClassRules& rules = kernelClassRules());
    void showRange(BudgetPart& part, const std::string& range) const;

    GpuApi m_api;
    std::vector<BudgetPart> m_parts;
    std::size_t m_pages = 0;
    /// By pattern, then cause.
    std::map<std::string, std::map<IdleCause, std::size_t>> m_named;
    std::size_t m_namedParts = 0;
};

} // namespace warpline
