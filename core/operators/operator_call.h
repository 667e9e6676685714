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

/// The product of `dims`, 1 of none; the largest number that there is where it is beyond that, and 0 where a
/// dimension is not positive.
std::int64_t volumeOf(const Dims& dims);

/// A tensor that an operator was called with.
struct Tensor {
    Dims dims;
    Dims strides; ///< in elements, as many as dims; empty: not recorded
    ElementType type = ElementType::Unknown;

    std::int64_t elements() const { return volumeOf(dims); }
    /// Bytes of memory behind it: what is repeated with a stride of 0 counts once. Nothing: the type is not
    /// known.
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

/// What a profiler recorded of the call of an operator.
struct OperatorCall {
    std::string name; ///< "aten::mm"
    std::vector<OperatorArgument> arguments;
    Dims output; ///< of the first result, where another operator tells it; usually empty
    std::size_t shapeCount = 0; ///< of the first so many arguments the dimensions were recorded
    bool hasTypes = false; ///< types of arguments were recorded
    bool hasValues = false; ///< so were arguments that are no tensors
    /// Of a convolution's backward pass: whether it makes the gradients of input and weight, where its
    /// kernels' names tell it.
    std::optional<std::array<bool, 2>> wantsGradients;
    /// Of attention over a cache in pages: of all sequences of its step, where the step's name tells it.
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

/// The call of operator `name` whose arguments are in `payload` as Kineto writes them: "Input Dims", "Input
/// type", "Input Strides", "Concrete Inputs". What is missing or broken is left out.
OperatorCall callOfPayload(std::string_view name, std::string_view payload);

/// The call that an NVTX range of torch.autograd.profiler.emit_nvtx(record_shapes=True) names:
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
