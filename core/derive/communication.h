#pragma once

#include "core/store/event_loops.h"

#include <functional>

namespace warpline {

class Trace;

/// isCommunication() of core/kernels for the kernels of a trace; tests each name once. Not thread-safe.
class CommunicationKernels {
public:
    explicit CommunicationKernels(const Trace& trace);
    bool operator[](EventIndex kernel) const { return m_communicates(m_kernels->name[kernel]); }

private:
    const KernelTable* m_kernels;
    mutable OncePerName<std::function<bool(StringId)>> m_communicates;
};

} // namespace warpline
