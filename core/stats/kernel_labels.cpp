#include "core/stats/kernel_labels.h"

#include "core/store/trace.h"

namespace warpline {

std::uint32_t KernelLabels::numberOf(EventIndex kernel, EventIndex range)
{
    if (!m_variant.nvtxPrefix)
        return raw(kernelName(m_trace, kernel, m_variant.kernels));
    return m_pairs.numberOf(pairOf(kernel, range));
}

std::string KernelLabels::labelOf(std::uint32_t number) const
{
    return m_variant.nvtxPrefix ? labelOf(m_pairs.keys()[number])
                                : std::string(m_trace.text(static_cast<StringId>(number)));
}

std::string KernelLabels::label(EventIndex kernel, EventIndex range) const
{
    return labelOf(pairOf(kernel, m_variant.nvtxPrefix ? range : noIndex));
}

std::string KernelLabels::labelOf(const Pair& pair) const
{
    std::string label = pair.inRange ? nvtxPrefix(m_trace, pair.range) : std::string();
    return label.append(m_trace.text(pair.kernel));
}

KernelLabels::Pair KernelLabels::pairOf(EventIndex kernel, EventIndex range) const
{
    Pair pair;
    pair.kernel = kernelName(m_trace, kernel, m_variant.kernels);
    if (range != noIndex) {
        pair.inRange = true;
        pair.range = m_trace.nvtx().name[range];
    }
    return pair;
}

} // namespace warpline
