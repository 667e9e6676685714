#pragma once

#include <string_view>

namespace warpline {

/// True for what PyTorch calls an operator: "aten::mm", "c10d::allreduce_", "torchvision::nms, op_id = 7"
/// (with torch.autograd.profiler.emit_nvtx). Nodes of autograd and compiled regions hold code of the program
/// and are none.
bool isFrameworkOperator(std::string_view rangeName);
/// "torchvision::nms" of "torchvision::nms, op_id = 7"; others as they are.
std::string_view withoutOperatorNumbers(std::string_view rangeName);

} // namespace warpline
