#pragma once

#include "core/base/message.h"
#include "core/operators/operator_rooflines.h"

#include <cstdint>
#include <string>

namespace warpline {

/// "[8192,2048] [2048,1024]": the dimensions of the tensors of a shape, without
/// values; of many the first ones and how many more. Empty: not recorded.
std::string shapesLabel(const OperatorShape& shape);
/// "aten::mm [8192,2048] [2048,1024] BF16".
std::string operatorLabel(const OperatorShape& shape);
/// A sentence on the option that records shapes, for the recorder of `trace`: "PyTorch records them with
/// torch.profiler...".
Message shapesAdvice(const Trace& trace);
/// For a product kernel without FLOPs, the bound from its tile and grid: "Its result has at most 1,048,576
/// elements: ...". Empty: not a product, or no bound.
Message resultBoundSentence(const Trace& trace, EventIndex kernel);
/// "612 TFLOP/s", "1.20 PFLOP/s", with the digits of a sentence; "-" where
/// `perSecond` is not above 0.
std::string formatFlops(double perSecond);
/// "4.80 TB/s", in the same way.
std::string formatBandwidth(double bytesPerSecond);
/// "34.4 GFLOP": an amount.
std::string formatFlopCount(double flops);
/// What a sentence on a roofline is about, where it stands with all launches of a kernel.
enum class RooflineSubject : std::uint8_t {
    Use, ///< what is named before it: "It"
    LongestLaunch,
    LongestCall, ///< of an operator with several kernels, the longest launch among them
};

/// "It reaches 612 TFLOP/s and 450 GB/s, 62% of the roofline of an H200 SXM:
/// compute-bound (BF16 tensor cores 989 TFLOP/s)." Empty: its work or the GPU
/// is not known.
Message rooflineSentence(
    const ShapeUse& use, const GpuPeaks& peaks, RooflineSubject subject = RooflineSubject::Use);

} // namespace warpline
