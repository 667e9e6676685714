// Arguments after the colon of a table's name: flags and numbers, in any order.

#include "core/stats/stats_table.h"

#include "core/base/words.h"

#include <algorithm>
#include <optional>

namespace warpline {

namespace {

std::vector<std::string_view> partsOf(std::string_view variant)
{
    std::vector<std::string_view> parts;
    while (!variant.empty()) {
        const std::size_t colon = variant.find(':');
        parts.push_back(variant.substr(0, colon));
        if (colon == std::string_view::npos)
            break;
        variant.remove_prefix(colon + 1);
        if (variant.empty())
            parts.push_back({}); // a colon with nothing behind it
    }
    return parts;
}

std::string_view nameOf(std::string_view part)
{
    return part.substr(0, part.find('='));
}

std::optional<std::int64_t> numberOf(std::string_view part)
{
    return wholeNumber<std::int64_t>(textBehind(part, "="));
}

bool contains(std::span<const TableArgument> arguments, std::string_view name)
{
    return std::ranges::find(arguments, name, &TableArgument::name) != arguments.end();
}

} // namespace

bool takesVariant(const StatsTable& table, std::string_view variant)
{
    std::vector<std::string_view> seen;
    for (const std::string_view part : partsOf(variant)) {
        const std::string_view name = nameOf(part);
        const auto known = std::ranges::find(table.arguments, name, &TableArgument::name);
        if (known == table.arguments.end() || std::ranges::find(seen, name) != seen.end())
            return false;
        if (known->value.empty() ? name != part : !numberOf(part))
            return false;
        seen.push_back(name);
    }
    return std::ranges::find(seen, "base") == seen.end() || std::ranges::find(seen, "mangled") == seen.end();
}

bool hasArgument(std::string_view variant, std::string_view name)
{
    const std::vector<std::string_view> parts = partsOf(variant);
    return std::ranges::find(parts, name, nameOf) != parts.end();
}

std::int64_t argumentOf(std::string_view variant, std::string_view name, std::int64_t otherwise)
{
    for (const std::string_view part : partsOf(variant)) {
        if (nameOf(part) == name)
            return numberOf(part).value_or(otherwise);
    }
    return otherwise;
}

std::vector<std::string> listedVariants(const StatsTable& table)
{
    std::vector<std::string> variants;
    const auto addNamings = [&](const std::string& before) {
        for (const char* const naming : {"base", "mangled"}) {
            if (contains(table.arguments, naming))
                variants.push_back(before + naming);
        }
    };
    addNamings({});
    if (contains(table.arguments, "nvtx-name")) {
        variants.emplace_back("nvtx-name");
        addNamings("nvtx-name:");
    }
    if (contains(table.arguments, "rows"))
        variants.emplace_back("rows=-1");
    return variants;
}

} // namespace warpline
