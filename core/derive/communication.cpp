#include "core/derive/communication.h"

#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

namespace {

/// True when `text` contains `part`, which is in lower case, in whatever case.
bool holds(std::string_view text, std::string_view part)
{
    return !std::ranges::search(text, part, [](char a, char b) {
        return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + ('a' - 'A')) : a) == b;
    }).empty();
}

} // namespace

bool isCommunication(std::string_view name)
{
    return name.starts_with("nccl") || holds(name, "nccldevkernel") || holds(name, "ncclkernel");
}

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
