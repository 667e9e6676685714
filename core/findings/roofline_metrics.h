#pragma once

#include "core/base/message.h"
#include "core/operators/operator_rooflines.h"

#include <optional>
#include <stop_token>

namespace warpline {

/// Sampled GPU metrics during a GPU's kernels, and the values of the operator models. Percent; nothing: not
/// sampled.
struct RooflineMetrics {
    std::optional<double> tensorActive; ///< of the cycles in which kernels run
    std::optional<double> dram; ///< read and written, of the bandwidth
    std::optional<double> clockHz; ///< mean
    double modelTensor = 0; ///< arithmetic of tensor cores, of their peak at the recorded clock
    double modelDram = 0; ///< compulsory traffic, of the bandwidth
    double modelTime = 0; ///< kernels with known work, of the kernels' time
};
RooflineMetrics rooflineMetrics(const Trace& trace, const OperatorRooflines& rooflines,
    const OperatorGpu& gpu, TimeRange window, const std::stop_token& stop = {});
/// "Tensor cores are active 23% of the kernels' time, the model says 22%: they agree. ..."; empty: none was
/// sampled.
Message metricsText(const RooflineMetrics& metrics);

} // namespace warpline
