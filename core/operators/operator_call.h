#pragma once

#include "core/operators/attention_lengths.h"
#include "core/operators/element_type.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

using Dims = std::vector<std::int64_t>;

/// The product of `dims`, 1 when empty; saturated, and 0 where a dimension is not positive.
std::int64_t volumeOf(const Dims& dims);

/// A tensor argument of an operator.
struct Tensor {
    Dims dims;
    Dims strides; ///< in elements, one per dimension; empty: not recorded
    ElementType type = ElementType::Unknown;

    std::int64_t elements() const { return volumeOf(dims); }
    /// Bytes of its storage: elements repeated with stride 0 count once. Nothing: unknown type.
    std::optional<std::int64_t> bytes() const;
    /// Dimension `i`, from the end where negative; 0: there is none.
    std::int64_t dim(std::ptrdiff_t i) const;
};

/// An argument of an operator.
struct OperatorArgument {
    std::vector<Tensor> tensors; ///< one, or those of a list; empty: a value, or nothing
    bool isList = false;
    std::string value; ///< of anything but tensors, as recorded: "[1, 1]", "True", "0.5"; empty: not recorded
};

/// The recorded data of an operator's call.
struct OperatorCall {
    std::string name; ///< "aten::mm"
    std::vector<OperatorArgument> arguments;
    Dims output; ///< of the first result, where another operator shows it; usually empty
    std::size_t shapeCount = 0; ///< of the first so many arguments the dimensions were recorded
    bool hasTypes = false; ///< types of arguments were recorded
    bool hasValues = false; ///< so were arguments that are no tensors
    /// For a convolution's backward pass: whether it computes the gradients of input and weight, where its
    /// kernels' names show it.
    std::optional<std::array<bool, 2>> wantsGradients;
    /// For attention over a paged cache: lengths of all sequences of its step, where the step's name has
    /// them.
    std::optional<AttentionLengths> lengths;

    /// Argument `i` where that is one tensor with dimensions; else nullptr. (A tensor without dimensions, a
    /// number on the GPU, is indistinguishable from a missing argument in some recordings.)
    const Tensor* tensor(std::size_t i) const;
    /// All tensors, those of lists too, in order.
    std::vector<const Tensor*> tensors() const;
    /// The whole numbers in argument `i`: "[1, 1]", "(2,2)", "1". Empty: not recorded.
    Dims numbers(std::size_t i) const;
    /// Whether argument `i` is true; nothing: not recorded.
    std::optional<bool> flag(std::size_t i) const;
};

/// Parses the call of operator `name` from Kineto's arguments in `payload`: "Input Dims", "Input type",
/// "Input Strides", "Concrete Inputs". Leaves out missing or broken ones.
OperatorCall callOfPayload(std::string_view name, std::string_view payload);

/// Parses a call from the name of an NVTX range of torch.autograd.profiler.emit_nvtx(record_shapes=True):
/// "aten::mm, seq = 0, op_id = 2, sizes = [[2, 3], [3, 4]], input_op_ids = [...]". It has no types and no
/// values; every list is a tensor, empty ones are values.
OperatorCall callOfRange(std::string_view rangeName);

/// The numbers behind "op_id = ", and those in "input_op_ids = [(12,0), ...]", of such a range; -1: none.
std::int64_t operatorNumberOf(std::string_view rangeName);
std::vector<std::pair<std::int64_t, std::int64_t>> inputNumbersOf(std::string_view rangeName);

/// The dimensions of `call` as JSON: "[[2,3],[3,4],[]]".
std::string shapesText(const OperatorCall& call);
/// "Input type" of such a payload; empty: not recorded.
std::vector<std::string> typesOfPayload(std::string_view payload);

} // namespace warpline
