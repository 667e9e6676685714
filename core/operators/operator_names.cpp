#include "core/operators/operator_names.h"

#include "core/base/ascii_case.h"

#include <algorithm>
#include <array>

namespace warpline {

std::string_view withoutOperatorNumbers(std::string_view name)
{
    return name.substr(0, name.find(", "));
}

bool isFrameworkOperator(std::string_view name)
{
    static constexpr std::array<std::string_view, 4> others{"autograd", "torch", "profiler", "std"};
    name = withoutOperatorNumbers(name);
    const std::size_t colons = name.find("::");
    if (colons == 0 || colons == std::string_view::npos || colons + 2 == name.size())
        return false;
    const auto isWord = [](char c) { return isIdentifierPart(c) || c == '.'; };
    return std::ranges::all_of(name.substr(0, colons), isWord)
        && std::ranges::all_of(name.substr(colons + 2), isWord)
        && std::ranges::find(others, name.substr(0, colons)) == others.end();
}

} // namespace warpline
