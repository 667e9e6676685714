#pragma once

#include "core/kernels/kernel_classes.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpline {

/// What a part of a GPU's time is, at large.
enum class BudgetGroup : std::uint8_t { Compute, Communication, Copies, Idle };
std::string_view keyOf(BudgetGroup group); ///< "compute", "communication", "copies", "idle"

/// Why a GPU ran nothing: what the thread did that launched the next work. In order of precedence, where the
/// thread did several at once.
enum class IdleCause : std::uint8_t {
    Profiler, ///< the profiler's own overhead
    OtherRanks, ///< in a call of MPI, UCX or NVSHMEM
    DataLoading, ///< inside an NVTX range named after data loading
    CodeLoading, ///< loads modules, compiles them just before, makes contexts
    Allocation,
    HostWait, ///< in a synchronizing call
    CopyCall, ///< in a call that copies or sets memory
    Launch, ///< in calls that launch, and short stretches of anything between launches
    OwnCode, ///< the program's own code and what it asks of the operating system; by NVTX range
    OsCall, ///< the same outside of any range, in a call of the operating system
    Queued, ///< the next work had been launched before: the GPU turns to it, or it depends on something
    Unknown, ///< the report does not say what launched the next work
    NoWork, ///< no work follows
};
inline constexpr std::size_t idleCauses = static_cast<std::size_t>(IdleCause::NoWork) + 1;

/// One part of a GPU's time. Parts are disjoint, and together they are the whole.
struct BudgetPart {
    std::string id; ///< "compute_gemm", "idle_own_code:load": in JSON and CSV
    std::string title; ///< "Matrix products", "Idle: own code in load"
    BudgetGroup group = BudgetGroup::Idle;
    IdleCause cause = IdleCause::NoWork; ///< of group Idle
    std::string range; ///< of idle time inside an NVTX range: its name, numbers as '#'; else empty
};

/// The parts that a report's GPUs spend time in: first those that every report has, then those named by NVTX
/// ranges.
class BudgetParts {
public:
    explicit BudgetParts(const KernelClassRules& rules);

    const BudgetPart& operator[](std::size_t part) const { return m_parts[part]; }
    std::size_t size() const { return m_parts.size(); }
    std::span<const BudgetPart> all() const { return m_parts; }

    /// Kernels of class `kernelClass`; not for the class of communication.
    std::size_t compute(std::size_t kernelClass) const { return kernelClass; }
    std::size_t pages() const { return m_pages; } ///< kernels wait for pages of unified memory, or pages move
    std::size_t wait() const { return m_pages + 1; } ///< communication that nothing hides: for other ranks
    std::size_t transfer() const { return m_pages + 2; } ///< the rest of it
    std::size_t copyToGpu() const { return m_pages + 3; }
    std::size_t copyToHost() const { return m_pages + 4; }
    std::size_t copyOther() const { return m_pages + 5; } ///< within a GPU, between GPUs
    std::size_t set() const { return m_pages + 6; }
    std::size_t idle(IdleCause cause) const { return m_pages + 7 + static_cast<std::size_t>(cause); }
    /// `cause` (DataLoading or OwnCode) inside an NVTX range, added when new; of very many names the later
    /// ones are not told apart.
    std::size_t idleIn(IdleCause cause, std::string_view range);

private:
    void add(std::string id, std::string title, BudgetGroup group);

    std::vector<BudgetPart> m_parts;
    std::size_t m_pages = 0;
    std::map<std::pair<IdleCause, std::string>, std::size_t> m_named;
};

} // namespace warpline
