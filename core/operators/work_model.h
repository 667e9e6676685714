#pragma once

#include "core/operators/operator_call.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace warpline {

/// How sure FLOPs are.
enum class WorkBasis : std::uint8_t {
    Shapes, ///< derived from recorded shapes
    Assumed, ///< a value that was not recorded is taken to be the usual one: padding, lengths of sequences
};

/// The work of one call of an operator.
struct Work {
    /// Counts like torch.utils.flop_counter, for the operators that it covers: a multiply and an add are two,
    /// and masked parts of causal attention count. Nothing: unknown.
    std::optional<std::int64_t> flops;
    /// The part of `flops` that a kernel can skip: products that a causal mask hides, and PyTorch's
    /// overcounting. Rooflines use the rest.
    std::int64_t skipped = 0;
    /// Compulsory traffic: each input read once, each result written once. Nothing: not known.
    std::optional<std::int64_t> bytes;
    WorkBasis basis = WorkBasis::Shapes;
};

/// How the work of operators follows from their arguments. One entry of the table of models.
struct WorkModel {
    /// Names of operators, separated by spaces; * matches any ending.
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
/// nullptr: operator `name` has no model. An exact name precedes one with *. O(1) except for names with *.
const WorkModel* workModelOf(std::string_view name);

// Parts of models.

/// A model of operators without matrix products, by their definition.
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
/// A model of operators whose products run on tensor cores where there are any.
constexpr WorkModel multiplyingModel(std::string_view kernelClass, std::string_view operators,
    std::string_view flops, std::string_view bytes, std::optional<Work> (*work)(const OperatorCall&),
    std::string_view source)
{
    WorkModel model = definedModel(kernelClass, operators, flops, bytes, work, source);
    model.multiplies = true;
    return model;
}
/// `model` with WorkModel::isComposite.
constexpr WorkModel composite(WorkModel model)
{
    model.isComposite = true;
    return model;
}

/// Adds the bytes of `tensor`; nothing where either is not known. nullptr adds nothing.
std::optional<std::int64_t> plusBytes(std::optional<std::int64_t> bytes, const Tensor* tensor);
/// The same of all `tensors`.
std::optional<std::int64_t> plusAllBytes(
    std::optional<std::int64_t> bytes, std::span<const Tensor* const> tensors);
/// Of operators that only write their argument 0.
std::optional<Work> writtenWork(const OperatorCall& call);
/// a * b * c, saturating.
std::int64_t productOf(std::int64_t a, std::int64_t b, std::int64_t c = 1, std::int64_t d = 1);
/// The broadcast dimensions of `a` and `b`: the larger of both in each.
Dims broadcast(const Dims& a, const Dims& b);
/// Bytes of a result of dimensions `dims`; nothing where `type` is not known.
std::optional<std::int64_t> resultBytes(const Dims& dims, ElementType type);
std::optional<std::int64_t> sumOf(std::optional<std::int64_t> a, std::optional<std::int64_t> b);

} // namespace warpline
