#include "core/kernels/name_forms.h"

#include "core/kernels/short_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>

namespace warpline {

namespace {

constexpr std::array<std::string_view, 2> namelessScopes{"(anonymous namespace)::", "<unnamed>::"};
constexpr std::size_t longest = 240; ///< longer names are not read

/// `name` up to its parameters, without the type that it returns.
std::string_view qualifiedName(std::string_view name)
{
    int angles = 0;
    std::size_t first = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name.substr(i).starts_with(anonymousNamespace)) {
            i += anonymousNamespace.size() - 1;
            continue;
        }
        const char c = name[i];
        angles += c == '<' ? 1 : c == '>' && angles > 0 ? -1 : 0;
        if (angles > 0)
            continue;
        if (c == '(')
            return name.substr(first, i - first);
        if (c == ' ' && i + 1 < name.size())
            first = i + 1;
    }
    return name.substr(first);
}

std::string withoutTemplateArguments(std::string_view name)
{
    std::string plain;
    int angles = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        // An unnamed namespace adds nothing, and <unnamed> looks like an argument.
        const auto nameless = std::ranges::find_if(
            namelessScopes, [&](std::string_view scope) { return name.substr(i).starts_with(scope); });
        if (nameless != namelessScopes.end()) {
            i += nameless->size() - 1;
            continue;
        }
        const char c = name[i];
        angles += c == '<' ? 1 : 0;
        if (angles == 0)
            plain += c;
        angles -= c == '>' && angles > 0 ? 1 : 0;
    }
    return plain;
}

/// The words of `name` that are no scopes, then its numbers, each once and in their order.
std::vector<std::string_view> partsOf(std::string_view name)
{
    std::vector<std::string_view> parts;
    const auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (std::size_t i = 0; i < name.size();) {
        std::size_t end = i;
        while (end < name.size() && isPart(name[end]))
            ++end;
        const std::string_view part = name.substr(i, end - i);
        const bool isScope = name.substr(end).starts_with("::");
        if (!part.empty() && !isScope && std::ranges::find(parts, part) == parts.end())
            parts.push_back(part);
        i = std::max(end, i + 1);
    }
    std::ranges::stable_partition(
        parts, [](std::string_view part) { return std::isdigit(static_cast<unsigned char>(part[0])) == 0; });
    return parts;
}

/// Without generic words such as "kernel".
std::string_view bareName(std::string_view label)
{
    constexpr std::array<std::string_view, 4> ends{"_kernel", "Kernel", "_device", "_impl"};
    for (const std::string_view end : ends) {
        if (label.ends_with(end) && label.size() > end.size() + 2)
            return label.substr(0, label.size() - end.size());
    }
    return label;
}

} // namespace

std::vector<std::string> kernelNameForms(std::string_view demangled, std::string_view label)
{
    std::vector<std::string> forms;
    const auto add = [&forms](std::string form) {
        if (!form.empty() && form.size() <= longest && (forms.empty() || form.size() < forms.back().size()))
            forms.push_back(std::move(form));
    };
    const std::string_view whole = qualifiedName(demangled);
    if (label.find_first_of("<( ") != std::string_view::npos) // a recorder that knows no short names
        label = shortNameOf(demangled);
    const bool isOperator = whole.find("operator") != std::string_view::npos; // "<" may be its name
    add(std::string(whole));
    if (!isOperator) {
        const std::string_view own = shortNameOf(demangled);
        const std::string plain = withoutTemplateArguments(whole);
        // A kernel that runs a functor is distinguished by the functor.
        add(own == label ? plain : plain + '<' + std::string(label) + '>');
        add(own == label ? std::string() : std::string(own) + '<' + std::string(label) + '>');
    }
    add(std::string(label));
    add(std::string(bareName(label)));
    if (forms.empty())
        forms.emplace_back(label);
    return forms;
}

std::vector<std::string> distinctParts(std::span<const std::string_view> demangled)
{
    std::vector<std::vector<std::string_view>> parts;
    std::map<std::string_view, std::vector<std::size_t>> having; // names, ascending
    for (const std::string_view name : demangled) {
        for (const std::string_view part : parts.emplace_back(partsOf(qualifiedName(name))))
            having[part].push_back(parts.size() - 1);
    }
    std::vector<std::string> distinct;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        std::optional<std::vector<std::size_t>> alike; // the names with all of `said`; nothing: all
        std::string said;
        for (const std::string_view part : parts[i]) {
            const std::vector<std::size_t>& with = having.at(part);
            std::vector<std::size_t> left;
            if (alike)
                std::ranges::set_intersection(*alike, with, std::back_inserter(left));
            else
                left = with;
            if (left.size() == (alike ? alike->size() : parts.size()))
                continue;
            said += (said.empty() ? "" : ", ") + std::string(part);
            alike = std::move(left);
        }
        distinct.push_back(alike && alike->size() == 1 ? std::move(said) : std::string());
    }
    return distinct;
}

} // namespace warpline
