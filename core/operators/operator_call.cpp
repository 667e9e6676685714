#include "core/operators/operator_call.h"

#include "core/base/ascii_case.h"
#include "core/base/saturate.h"
#include "core/base/words.h"
#include "core/operators/operator_names.h"
#include "core/store/payload_fields.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace warpline {

namespace {

/// More arguments, or tensors in a list, than any operator has.
constexpr std::size_t maxArguments = 65'536;

/// All whole numbers in `text`, a list as Kineto or PyTorch writes it; decimals are cut off.
Dims numbersIn(std::string_view text)
{
    Dims numbers;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at < end && numbers.size() < maxArguments) {
        if (!isDigit(*at) && !(*at == '-' && at + 1 < end && isDigit(at[1]))) {
            ++at;
            continue;
        }
        std::int64_t number = 0;
        const auto [rest, error] = std::from_chars(at, end, number);
        if (error == std::errc())
            numbers.push_back(number);
        at = rest;
        if (at < end && *at == '.') {
            ++at;
            while (at < end && isDigit(*at))
                ++at;
        }
    }
    return numbers;
}

bool isListOfLists(std::string_view text)
{
    const std::size_t inner = text.find_first_not_of(" \t\r\n", 1);
    return text.size() > 2 && text.front() == '[' && inner != std::string_view::npos && text[inner] == '[';
}

/// Calls add(dims) for the list of numbers `text`, or for each in a list of such lists.
template <typename Add> void eachDims(const std::string& text, Add add)
{
    if (!isListOfLists(text)) {
        add(numbersIn(text));
        return;
    }
    std::vector<std::string> lists = payloadElements(text);
    lists.resize(std::min(lists.size(), maxArguments));
    for (const std::string& each : lists)
        add(numbersIn(each));
}

std::vector<std::string> elementsOf(std::string_view payload, std::string_view key)
{
    const auto field = findPayloadField(payload, key);
    std::vector<std::string> elements = field ? payloadElements(field->value) : std::vector<std::string>();
    elements.resize(std::min(elements.size(), maxArguments));
    return elements;
}

std::string_view unquoted(std::string_view text)
{
    return text.size() >= 2 && text.front() == '"' && text.back() == '"' ? text.substr(1, text.size() - 2)
                                                                         : text;
}

/// Whether a recorded type is a tensor's, which may have no dimensions.
bool isTensorType(std::string_view type)
{
    return !type.empty() && type != "Scalar" && type != "ScalarList" && type != "TensorList"
        && type != "GenericList" && type != "None";
}

void appendDims(std::string& text, const Dims& dims)
{
    text += '[';
    for (std::size_t i = 0; i < dims.size(); ++i)
        text += (i == 0 ? "" : ",") + std::to_string(dims[i]);
    text += ']';
}

/// The list at the begin of `text`, with its brackets; all of it when the end is missing.
std::string_view firstList(std::string_view text)
{
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
        if (depth == 0)
            return text.substr(0, i + 1);
    }
    return text;
}

} // namespace

std::int64_t volumeOf(const Dims& dims)
{
    std::int64_t volume = 1;
    for (const std::int64_t dim : dims)
        volume = saturatingProduct(volume, std::max<std::int64_t>(dim, 0));
    return volume;
}

std::optional<std::int64_t> Tensor::bytes() const
{
    if (type == ElementType::Unknown)
        return {};
    std::int64_t count = bytesOf(type);
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const bool repeats = strides.size() == dims.size() && strides[i] == 0 && dims[i] > 0;
        count = saturatingProduct(count, repeats ? 1 : std::max<std::int64_t>(dims[i], 0));
    }
    return count;
}

std::int64_t Tensor::dim(std::ptrdiff_t i) const
{
    const auto rank = static_cast<std::ptrdiff_t>(dims.size());
    i += i < 0 ? rank : 0;
    return i >= 0 && i < rank ? std::max<std::int64_t>(dims[static_cast<std::size_t>(i)], 0) : 0;
}

const Tensor* OperatorCall::tensor(std::size_t i) const
{
    if (i >= arguments.size() || arguments[i].isList || arguments[i].tensors.size() != 1)
        return nullptr;
    return arguments[i].tensors.front().dims.empty() ? nullptr : arguments[i].tensors.data();
}

std::vector<const Tensor*> OperatorCall::tensors() const
{
    std::vector<const Tensor*> all;
    for (const OperatorArgument& argument : arguments) {
        for (const Tensor& each : argument.tensors)
            all.push_back(&each);
    }
    return all;
}

Dims OperatorCall::numbers(std::size_t i) const
{
    return i < arguments.size() ? numbersIn(arguments[i].value) : Dims();
}

std::optional<bool> OperatorCall::flag(std::size_t i) const
{
    if (i >= arguments.size())
        return {};
    const std::string word = lowered(arguments[i].value);
    if (word == "true" || word == "1")
        return true;
    return word == "false" || word == "0" ? std::optional(false) : std::nullopt;
}

OperatorCall callOfPayload(std::string_view name, std::string_view payload)
{
    OperatorCall call;
    call.name = name;
    const std::vector<std::string> dims = elementsOf(payload, "Input Dims");
    const std::vector<std::string> types = elementsOf(payload, "Input type");
    const std::vector<std::string> strides = elementsOf(payload, "Input Strides");
    const std::vector<std::string> values = elementsOf(payload, "Concrete Inputs");
    call.shapeCount = dims.size();
    call.hasTypes = !types.empty();
    call.hasValues
        = std::ranges::any_of(values, [](const std::string& value) { return !unquoted(value).empty(); });
    call.arguments.resize(std::max({dims.size(), types.size(), values.size()}));
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        OperatorArgument& argument = call.arguments[i];
        const std::string_view typeName = i < types.size() ? unquoted(types[i]) : std::string_view();
        const std::string shape = i < dims.size() ? dims[i] : std::string();
        argument.isList = typeName == "TensorList" || isListOfLists(shape);
        if (i < values.size())
            argument.value = unquoted(values[i]);
        const ElementType type = elementTypeOf(typeName);
        eachDims(shape, [&](Dims each) {
            if (!each.empty() || (isTensorType(typeName) && !argument.isList))
                argument.tensors.push_back({std::move(each), {}, type});
        });
        if (i >= strides.size())
            continue;
        std::size_t tensor = 0;
        eachDims(strides[i], [&](Dims each) {
            if (tensor < argument.tensors.size() && each.size() == argument.tensors[tensor].dims.size())
                argument.tensors[tensor].strides = std::move(each);
            ++tensor;
        });
    }
    return call;
}

std::vector<std::string> typesOfPayload(std::string_view payload)
{
    std::vector<std::string> types = elementsOf(payload, "Input type");
    for (std::string& type : types)
        type = unquoted(type);
    return types;
}

OperatorCall callOfRange(std::string_view rangeName)
{
    OperatorCall call;
    call.name = withoutOperatorNumbers(rangeName);
    const std::string sizes(firstList(textBehind(rangeName, "sizes = ")));
    std::vector<std::string> lists = payloadElements(sizes);
    call.arguments.resize(std::min(lists.size(), maxArguments));
    call.shapeCount = call.arguments.size();
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        call.arguments[i].isList = isListOfLists(lists[i]);
        eachDims(lists[i], [&](Dims each) {
            if (!each.empty())
                call.arguments[i].tensors.push_back({std::move(each), {}, ElementType::Unknown});
        });
    }
    return call;
}

std::int64_t operatorNumberOf(std::string_view rangeName)
{
    const std::string_view rest = textBehind(rangeName, "op_id = ");
    std::int64_t number = -1;
    std::from_chars(rest.data(), rest.data() + rest.size(), number);
    return number;
}

std::vector<std::pair<std::int64_t, std::int64_t>> inputNumbersOf(std::string_view rangeName)
{
    const Dims numbers = numbersIn(firstList(textBehind(rangeName, "input_op_ids = ")));
    std::vector<std::pair<std::int64_t, std::int64_t>> inputs;
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
        inputs.emplace_back(numbers[i], numbers[i + 1]);
    return inputs;
}

std::string shapesText(const OperatorCall& call)
{
    std::string text = "[";
    for (std::size_t i = 0; i < std::min(call.shapeCount, call.arguments.size()); ++i) {
        const OperatorArgument& argument = call.arguments[i];
        text += i == 0 ? "" : ",";
        if (!argument.isList) {
            appendDims(text, argument.tensors.empty() ? Dims() : argument.tensors.front().dims);
            continue;
        }
        text += '[';
        for (std::size_t each = 0; each < argument.tensors.size(); ++each) {
            text += each == 0 ? "" : ",";
            appendDims(text, argument.tensors[each].dims);
        }
        text += ']';
    }
    return text + "]";
}

} // namespace warpline
