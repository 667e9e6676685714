#pragma once

#include "core/store/event_kind.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace warpline {

class Trace;
struct KernelTable;

/// True for kernels that move data between GPUs, or wait for it, instead of computing: the one place that
/// says which. They occupy a few multiprocessors on purpose. `kernelName` is the demangled one. O(length).
bool isCommunication(std::string_view kernelName);

/// isCommunication() for the kernels of a trace, each name looked at once. For one thread at a time.
class CommunicationKernels {
public:
    explicit CommunicationKernels(const Trace& trace);
    bool operator[](EventIndex kernel) const;

private:
    enum class Known : std::uint8_t { NotYet, Computes, Communicates };

    const Trace* m_trace;
    const KernelTable* m_kernels;
    mutable std::vector<Known> m_byName; ///< by StringId
};

} // namespace warpline
