#include "core/derive/communication.h"

#include "core/kernels/kernel_names.h"
#include "core/store/trace.h"

namespace warpline {

CommunicationKernels::CommunicationKernels(const Trace& trace)
    : m_kernels(&trace.kernels()),
      m_communicates([&trace](StringId name) { return isCommunication(trace.text(name)); })
{
}

} // namespace warpline
