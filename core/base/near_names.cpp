#include "core/base/near_names.h"

#include "core/base/ascii_case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace warpline {

namespace {

/// How far `name` is from `wanted`, both keys: 0 the same. Nothing: too far to have been meant.
std::optional<std::size_t> distance(std::string_view wanted, std::string_view name)
{
    constexpr std::size_t lettersPerMistake = 3;
    constexpr std::size_t minPartLength = 4; // shorter parts match by chance
    const std::size_t edits = editsBetween(wanted, name);
    if (edits <= std::max<std::size_t>(1, wanted.size() / lettersPerMistake))
        return edits;
    const auto [shorter, longer] = std::ranges::minmax(wanted, name, {}, &std::string_view::size);
    if (shorter.size() >= minPartLength && longer.find(shorter) != std::string_view::npos)
        return edits;
    return std::nullopt;
}

} // namespace

std::string keyOfName(std::string_view name)
{
    std::string key = lowered(name);
    std::erase(key, '_');
    return key;
}

std::size_t editsBetween(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> before; // two lines up: for neighbours that are swapped
    std::vector<std::size_t> last;
    std::vector<std::size_t> line(b.size() + 1);
    std::iota(line.begin(), line.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        before = std::exchange(last, line);
        line[0] = i + 1;
        for (std::size_t k = 0; k < b.size(); ++k) {
            line[k + 1] = std::min({last[k] + (a[i] == b[k] ? 0 : 1), last[k + 1] + 1, line[k] + 1});
            if (i > 0 && k > 0 && a[i] == b[k - 1] && a[i - 1] == b[k])
                line[k + 1] = std::min(line[k + 1], before[k - 1] + 1);
        }
    }
    return line.back();
}

std::vector<std::string> nearNames(
    std::string_view wanted, std::span<const std::string> names, std::size_t most)
{
    constexpr std::size_t longest = 200; // a longer text is not a mistyped name
    if (wanted.size() > longest)
        return {};
    const std::string key = keyOfName(wanted);
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const std::string& name : names) {
        const auto far = name.size() > longest ? std::nullopt : distance(key, keyOfName(name));
        if (far && std::ranges::find(near, name, &std::pair<std::size_t, std::string>::second) == near.end())
            near.emplace_back(*far, name);
    }
    std::ranges::stable_sort(near, {}, &std::pair<std::size_t, std::string>::first);
    std::vector<std::string> found;
    for (auto& [far, name] : near) {
        const bool isExact = near.front().first == 0; // nothing else was meant
        if (found.size() < most && (!isExact || far == 0))
            found.push_back(std::move(name));
    }
    return found;
}

std::string commaList(std::span<const std::string> names)
{
    return fmt::format("{}", fmt::join(names, ", "));
}

Message orList(std::span<const std::string> names)
{
    if (names.empty())
        return {};
    return {"text.or_list", "{n, plural, =1 {{last}} other {{names} or {last}}}",
        {{"n", Count{names.size()}}, {"names", Name{commaList(names.first(names.size() - 1))}},
            {"last", Name{names.back()}}}};
}

Message didYouMean(std::string_view wanted, std::span<const std::string> names)
{
    return didYouMean(nearNames(wanted, names));
}

Message didYouMean(std::span<const std::string> near)
{
    return near.empty() ? Message()
                        : Message("cli.did_you_mean", " (did you mean {names}?)", {{"names", orList(near)}});
}

} // namespace warpline
