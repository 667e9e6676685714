#include "core/kernels/name_forms.h"

#include "core/kernels/short_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

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

/// Groups of names that have the same parts. Most names share their groups, so each is made once.
class AlikeNames {
public:
    explicit AlikeNames(std::size_t count)
        : m_groups(1, std::vector<std::uint32_t>(count))
    {
        std::iota(m_groups[0].begin(), m_groups[0].end(), 0U);
    }

    /// Adds the parts of the next name.
    void add(std::span<const std::string_view> parts)
    {
        for (const std::string_view part : parts)
            m_having[part].push_back(m_added);
        ++m_added;
    }

    /// The names of `group` that have `part`: the same number when all have it. Group 0 has all names.
    std::size_t having(std::size_t group, std::string_view part)
    {
        const auto [found, isNew] = m_next.try_emplace({group, part}, group);
        if (!isNew)
            return found->second;
        const std::vector<std::uint32_t>* few = &m_groups[group];
        const std::vector<std::uint32_t>* many = &m_having.at(part);
        if (few->size() > many->size())
            std::swap(few, many);
        std::vector<std::uint32_t> left;
        std::ranges::copy_if(*few, std::back_inserter(left),
            [&](std::uint32_t name) { return std::ranges::binary_search(*many, name); });
        if (left.size() < m_groups[group].size()) {
            found->second = m_groups.size();
            m_groups.push_back(std::move(left));
        }
        return found->second;
    }

    std::size_t size(std::size_t group) const { return m_groups[group].size(); }

private:
    std::map<std::string_view, std::vector<std::uint32_t>> m_having; ///< the names with a part, ascending
    std::vector<std::vector<std::uint32_t>> m_groups;
    std::map<std::pair<std::size_t, std::string_view>, std::size_t> m_next; ///< the group of (group, part)
    std::uint32_t m_added = 0;
};

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
    AlikeNames alike(demangled.size());
    for (const std::string_view name : demangled)
        alike.add(parts.emplace_back(partsOf(qualifiedName(name))));
    std::vector<std::string> distinct;
    for (const std::vector<std::string_view>& each : parts) {
        std::size_t group = 0;
        std::string said;
        for (const std::string_view part : each) {
            if (const std::size_t with = alike.having(group, part); with != std::exchange(group, with))
                said += (said.empty() ? "" : ", ") + std::string(part);
        }
        distinct.push_back(alike.size(group) == 1 ? std::move(said) : std::string());
    }
    return distinct;
}

} // namespace warpline
