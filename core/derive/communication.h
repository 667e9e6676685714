#pragma once

#include "core/kernels/kernel_names.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <functional>

namespace warpline {

/// isCommunication() of core/kernels for the kernels of a trace; tests each name once. Not thread-safe.
class CommunicationKernels {
public:
    explicit CommunicationKernels(const Trace& trace)
        : m_kernels(&trace.kernels()),
          m_communicates([&trace](StringId name) { return isCommunication(trace.text(name)); })
    {
    }
    bool operator[](EventIndex kernel) const { return m_communicates(m_kernels->name[kernel]); }

private:
    const KernelTable* m_kernels;
    mutable OncePerName<std::function<bool(StringId)>> m_communicates;
};

} // namespace warpline
