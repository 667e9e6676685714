#pragma once

#include <string_view>

namespace warpline {

/// True for PyTorch's operators: "aten::mm", "c10d::allreduce_", "torchvision::nms, op_id = 7" (with
/// torch.autograd.profiler.emit_nvtx). Autograd nodes and compiled regions contain the program's code and are
/// not operators.
bool isFrameworkOperator(std::string_view rangeName);
/// "torchvision::nms" of "torchvision::nms, op_id = 7"; others as they are.
std::string_view withoutOperatorNumbers(std::string_view rangeName);

} // namespace warpline
