#pragma once

#include "core/store/event_kind.h"

#include <cstdint>
#include <vector>

namespace warpline {

class Trace;
struct KernelTable;

/// isCommunication() of core/kernels for the kernels of a trace, each name looked at once. For one thread at
/// a time.
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
