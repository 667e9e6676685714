#pragma once

#include "core/base/result.h"
#include "core/operators/operator_call.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace warpline {

/// Instructions of a formula in postfix order: operands before operators.
enum class FormulaStep : std::uint8_t {
    Number,
    Dim, ///< dim(argument, dimension)
    Elements, ///< elements(argument)
    Bytes, ///< bytes(argument)
    Size, ///< size(argument): bytes of an element
    Value, ///< number(argument, place)
    Add,
    Subtract,
    Multiply,
    Divide,
    Negate,
    Min,
    Max,
};

/// A formula over the arguments of an operator: "2 * dim(0, 0) * dim(0, 1) * dim(1, 1)".
/// docs/operators.md has the language.
class WorkFormula {
public:
    /// The error has the problem and its place in the text.
    static Result<WorkFormula> read(std::string_view text);
    /// Rounded to a whole number, saturated. Nothing: data was not recorded, or the result is negative or not
    /// a number.
    std::optional<std::int64_t> of(const OperatorCall& call) const;

private:
    friend class WorkFormulaReader;

    struct Step {
        FormulaStep step = FormulaStep::Number;
        long double number = 0; ///< 64 bits of whole numbers are exact
        std::size_t argument = 0; ///< or allArguments
        std::ptrdiff_t place = 0; ///< from the end where negative
    };
    static constexpr std::size_t allArguments = static_cast<std::size_t>(-1);

    static std::optional<long double> ofArgument(const Step& step, const OperatorCall& call);

    std::vector<Step> m_steps;
};

} // namespace warpline
