#include "core/derive/communication.h"

#include "core/kernels/kernel_names.h"
#include "core/store/trace.h"

namespace warpline {

CommunicationKernels::CommunicationKernels(const Trace& trace)
    : m_trace(&trace),
      m_kernels(&trace.kernels()),
      m_byName(trace.pool->size(), Known::NotYet)
{
}

bool CommunicationKernels::operator[](EventIndex kernel) const
{
    const StringId name = m_kernels->name[kernel];
    Known& known = m_byName[raw(name)];
    if (known == Known::NotYet)
        known = isCommunication(m_trace->text(name)) ? Known::Communicates : Known::Computes;
    return known == Known::Communicates;
}

} // namespace warpline
