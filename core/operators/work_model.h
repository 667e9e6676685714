#pragma once

#include "core/operators/operator_call.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace warpline {

/// How sure FLOPs are.
enum class WorkBasis : std::uint8_t {
    Shapes, ///< follow from what was recorded
    Assumed, ///< a value that was not recorded is taken to be the usual one: padding, lengths of sequences
};

/// The work of one call of an operator.
struct Work {
    /// As torch.utils.flop_counter counts where it counts the operator: a multiply and an add are two, what a
    /// causal mask hides is counted. Nothing: not known.
    std::optional<std::int64_t> flops;
    /// Of `flops` what a kernel can leave out: products that a causal mask hides, and what PyTorch counts too
    /// much. Rooflines are about the rest.
    std::int64_t skipped = 0;
    /// Compulsory traffic: each input read once, each result written once. Nothing: not known.
    std::optional<std::int64_t> bytes;
    WorkBasis basis = WorkBasis::Shapes;
};

/// How the work of operators follows from their arguments. One entry of the table of models.
struct WorkModel {
    /// Names of operators, with spaces between; * stands for any ending.
    std::string_view operators;
    std::string_view kernelClass; ///< id as kernel classes have it: "gemm"
    std::string_view flops; ///< the formula, for people
    std::string_view bytes;
    std::string_view source; ///< where the formula is from
    /// Nothing where dimensions are missing, or do not fit each other.
    std::optional<Work> (*work)(const OperatorCall& call) = nullptr;
    /// Its products run on tensor cores where there are any.
    bool multiplies = false;
    /// Most often does its work through operators in it, to which it then belongs: aten::linear calls
    /// aten::addmm.
    bool isComposite = false;
    bool readsLengths = false; ///< reads OperatorCall::lengths
};

/// The models of related operators: a file of core/operators/models.
struct WorkModelFamily {
    std::string_view title; ///< "Matrix products"
    std::span<const WorkModel> models;
};

/// All families, in the order of the documentation. The list is in work_models.cpp and nowhere else.
std::span<const WorkModelFamily* const> allWorkModels();
/// nullptr: there is no model of operator `name`. Where several fit, one that names it whole goes before one
/// with *. O(1) but for names with *.
const WorkModel* workModelOf(std::string_view name);

// What models are made of.

/// A model of operators that multiply no matrices, counted by what their definition says.
constexpr WorkModel definedModel(std::string_view kernelClass, std::string_view operators,
    std::string_view flops, std::string_view bytes, std::optional<Work> (*work)(const OperatorCall&),
    std::string_view source = "operations of the definition")
{
    return {.operators = operators,
        .kernelClass = kernelClass,
        .flops = flops,
        .bytes = bytes,
        .source = source,
        .work = work};
}

/// Adds the bytes of `tensor`; nothing where either is not known. nullptr adds nothing.
std::optional<std::int64_t> plusBytes(std::optional<std::int64_t> bytes, const Tensor* tensor);
/// a * b * c, saturating.
std::int64_t productOf(std::int64_t a, std::int64_t b, std::int64_t c = 1, std::int64_t d = 1);
/// The dimensions of what `a` and `b` give together, each dimension being the larger of both.
Dims broadcast(const Dims& a, const Dims& b);
/// Bytes of a result of dimensions `dims`; nothing where `type` is not known.
std::optional<std::int64_t> resultBytes(const Dims& dims, ElementType type);
std::optional<std::int64_t> sumOf(std::optional<std::int64_t> a, std::optional<std::int64_t> b);

} // namespace warpline
