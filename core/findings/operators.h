#pragma once

#include "core/coverage/intervals.h"
#include "core/findings/host_activity.h"
#include "core/store/trace.h"

#include <stop_token>
#include <string>
#include <string_view>

namespace warpline {

/// True for the domain in which PyTorch's profiler has what the framework tells of itself.
bool isOfFramework(std::string_view domain);
/// True for what PyTorch calls an operator: "aten::mm", "c10d::allreduce_", "torchvision::nms, op_id = 7"
/// (with torch.autograd.profiler.emit_nvtx). Nodes of autograd and compiled regions hold code of the program
/// and are none.
bool isFrameworkOperator(std::string_view rangeName);
/// "torchvision::nms" of "torchvision::nms, op_id = 7"; others as they are.
std::string_view withoutOperatorNumbers(std::string_view rangeName);
/// True for cuDNN's attention, which is built anew for each length of the sequence.
bool isCudnnAttention(std::string_view rangeName);

/// The time of `parts` by the innermost operator that was open on `thread`. O(log n) a part and depth. Throws
/// Stopped when `stop` is requested.
TimeByName operatorTimes(
    const Trace& trace, GlobalId thread, const Intervals& parts, const std::stop_token& stop);

} // namespace warpline
