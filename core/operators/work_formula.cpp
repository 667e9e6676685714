#include "core/operators/work_formula.h"

#include "core/base/ascii_case.h"
#include "core/base/near_names.h"
#include "core/base/read_real.h"
#include "core/operators/work_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

namespace warpline {

namespace {

struct FormulaFunction {
    std::string_view name;
    FormulaStep step;
    std::string_view form; ///< for people
};

constexpr std::array<FormulaFunction, 7> formulaFunctions{{
    {"dim", FormulaStep::Dim, "dim(ARGUMENT, DIMENSION)"},
    {"elements", FormulaStep::Elements, "elements(ARGUMENT)"},
    {"bytes", FormulaStep::Bytes, "bytes(ARGUMENT)"},
    {"size", FormulaStep::Size, "size(ARGUMENT)"},
    {"number", FormulaStep::Value, "number(ARGUMENT, PLACE)"},
    {"min", FormulaStep::Min, "min(A, B)"},
    {"max", FormulaStep::Max, "max(A, B)"},
}};

constexpr int deepestParentheses = 100;

bool isNameLetter(char c)
{
    return (lowerOf(c) >= 'a' && lowerOf(c) <= 'z') || c == '_';
}

} // namespace

/// Reads a formula by recursive descent; the first mistake ends it.
class WorkFormulaReader {
public:
    explicit WorkFormulaReader(std::string_view text)
        : m_text(text)
    {
    }

    Result<WorkFormula> read()
    {
        sum();
        if (m_mistake.empty() && !next().empty())
            fail({"formula.unexpected", "'{what}' is not expected",
                {{"what", Name{std::string(next().substr(0, 1))}}}});
        if (!m_mistake.empty())
            return Error{m_mistake};
        return std::move(m_formula);
    }

private:
    using Step = WorkFormula::Step;

    /// The remaining text without leading blanks.
    std::string_view next()
    {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t'))
            ++m_at;
        return m_text.substr(m_at);
    }

    bool take(char c)
    {
        if (!m_mistake.empty() || !next().starts_with(c))
            return false;
        ++m_at;
        return true;
    }

    void expect(char c)
    {
        if (!take(c))
            fail({"formula.missing", "'{what}' is missing", {{"what", Name{std::string(1, c)}}}});
    }

    void fail(Message what)
    {
        if (m_mistake.empty())
            m_mistake = {"formula.place", "{what} at letter {letter} of the formula",
                {{"what", std::move(what)}, {"letter", Ordinal{static_cast<std::int64_t>(m_at) + 1}}}};
    }

    void add(FormulaStep step) { m_formula.m_steps.push_back({step, 0, 0, 0}); }

    void sum()
    {
        if (++m_depth > deepestParentheses)
            return fail({"formula.too_deep", "parentheses are nested too deeply"});
        product();
        while (m_mistake.empty()) {
            const bool plus = take('+');
            if (!plus && !take('-'))
                break;
            product();
            add(plus ? FormulaStep::Add : FormulaStep::Subtract);
        }
        --m_depth;
    }

    void product()
    {
        factor();
        while (m_mistake.empty()) {
            const bool times = take('*');
            if (!times && !take('/'))
                break;
            factor();
            add(times ? FormulaStep::Multiply : FormulaStep::Divide);
        }
    }

    void factor()
    {
        bool negative = false;
        while (take('-'))
            negative = !negative;
        if (take('(')) {
            sum();
            expect(')');
        } else if (!next().empty() && isNameLetter(next().front())) {
            function();
        } else {
            number();
        }
        if (negative)
            add(FormulaStep::Negate);
    }

    void number()
    {
        Step step;
        const std::string_view text = next();
        const auto read = readReal(text, step.number);
        if (text.empty() || read.ec != std::errc() || !std::isfinite(step.number))
            return fail({"formula.no_factor", "a number, a function or a parenthesis is missing"});
        m_at += static_cast<std::size_t>(read.ptr - text.data());
        m_formula.m_steps.push_back(step);
    }

    void function()
    {
        const std::string_view text = next();
        const std::string_view name = text.substr(
            0, static_cast<std::size_t>(std::ranges::find_if_not(text, isNameLetter) - text.begin()));
        const auto known = std::ranges::find(formulaFunctions, name, &FormulaFunction::name);
        if (known == formulaFunctions.end())
            return fail({"formula.no_function", "there is no function '{name}'; known: {known}",
                {{"name", Name{std::string(name)}},
                    {"known", orList(entryNames(formulaFunctions, &FormulaFunction::form))}}});
        m_at += name.size();
        expect('(');
        if (known->step == FormulaStep::Min || known->step == FormulaStep::Max) {
            sum();
            expect(',');
            sum();
            add(known->step);
        } else {
            argument(known->step);
        }
        expect(')');
    }

    void argument(FormulaStep function)
    {
        Step step;
        step.step = function;
        const bool ofAll = function == FormulaStep::Elements || function == FormulaStep::Bytes;
        if (ofAll && next().starts_with("all")) {
            m_at += 3;
            step.argument = WorkFormula::allArguments;
        } else {
            step.argument = static_cast<std::size_t>(whole(false));
        }
        if (function == FormulaStep::Dim || function == FormulaStep::Value) {
            expect(',');
            step.place = whole(true);
        }
        m_formula.m_steps.push_back(step);
    }

    std::ptrdiff_t whole(bool mayBeNegative)
    {
        int value = 0;
        const std::string_view text = next();
        const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
        if (read.ec != std::errc() || (value < 0 && !mayBeNegative)) {
            fail({"formula.no_place", "the number of an argument or dimension is missing"});
            return 0;
        }
        m_at += static_cast<std::size_t>(read.ptr - text.data());
        return value;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_depth = 0;
    Message m_mistake;
    WorkFormula m_formula;
};

Result<WorkFormula> WorkFormula::read(std::string_view text)
{
    return WorkFormulaReader(text).read();
}

std::optional<long double> WorkFormula::ofArgument(const Step& step, const OperatorCall& call)
{
    if (step.step == FormulaStep::Value) {
        const Dims numbers = call.numbers(step.argument);
        const auto count = static_cast<std::ptrdiff_t>(numbers.size());
        const std::ptrdiff_t place = step.place < 0 ? count + step.place : step.place;
        if (place < 0 || place >= count)
            return {};
        return static_cast<long double>(numbers[static_cast<std::size_t>(place)]);
    }
    const bool all = step.argument == allArguments;
    const std::size_t recorded = std::min(call.shapeCount, call.arguments.size());
    if (all ? recorded == 0 : step.argument >= recorded)
        return {};
    if (step.step == FormulaStep::Dim || step.step == FormulaStep::Size) {
        const std::vector<Tensor>& tensors = call.arguments[step.argument].tensors;
        if (tensors.empty())
            return {};
        const std::int64_t value
            = step.step == FormulaStep::Dim ? tensors.front().dim(step.place) : bytesOf(tensors.front().type);
        // A dimension of 0 belongs to an empty tensor; a missing dimension is an error of the recording.
        const auto rank = static_cast<std::ptrdiff_t>(tensors.front().dims.size());
        const bool isThere
            = step.step == FormulaStep::Dim ? step.place < rank && step.place >= -rank : value != 0;
        return isThere ? std::optional(static_cast<long double>(value)) : std::nullopt;
    }
    std::optional<std::int64_t> total = 0;
    for (std::size_t i = all ? 0 : step.argument; i < (all ? recorded : step.argument + 1); ++i) {
        for (const Tensor& tensor : call.arguments[i].tensors)
            total = sumOf(total, step.step == FormulaStep::Bytes ? tensor.bytes() : tensor.elements());
    }
    return total ? std::optional(static_cast<long double>(*total)) : std::nullopt;
}

std::optional<std::int64_t> WorkFormula::of(const OperatorCall& call) const
{
    std::vector<long double> values;
    for (const Step& step : m_steps) {
        if (step.step == FormulaStep::Number) {
            values.push_back(step.number);
            continue;
        }
        if (step.step < FormulaStep::Add) {
            const auto value = ofArgument(step, call);
            if (!value)
                return {};
            values.push_back(*value);
            continue;
        }
        const long double last = values.back();
        if (step.step == FormulaStep::Negate) {
            values.back() = -last;
            continue;
        }
        values.pop_back();
        long double& value = values.back();
        switch (step.step) {
        case FormulaStep::Add:
            value += last;
            break;
        case FormulaStep::Subtract:
            value -= last;
            break;
        case FormulaStep::Multiply:
            value *= last;
            break;
        case FormulaStep::Divide:
            value /= last;
            break;
        case FormulaStep::Min:
            value = std::min(value, last);
            break;
        default:
            value = std::max(value, last);
            break;
        }
    }
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    if (values.empty() || !std::isfinite(values.back()) || values.back() < 0)
        return {};
    return values.back() >= static_cast<long double>(most) ? most : std::llround(values.back());
}

} // namespace warpline
