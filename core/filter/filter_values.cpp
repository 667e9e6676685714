#include "core/filter/filter_values.h"

#include "core/base/duration_text.h"
#include "core/base/near_names.h"
#include "core/base/read_real.h"
#include "core/filter/text_match.h"
#include "core/store/event_kind.h"

#include <algorithm>
#include <charconv>

namespace warpline {

namespace {

FilterType typeOf(const FilterTerm& term)
{
    return infoOf(term.field).type;
}

bool isNumbered(FilterField field)
{
    return field == FilterField::Stream || field == FilterField::Device || field == FilterField::Process
        || field == FilterField::Thread;
}

std::optional<long double> parseNumber(std::string_view text)
{
    long double number = 0;
    const auto [end, problem] = readReal(text, number);
    if (problem != std::errc() || end != text.data() + text.size() || !(number > -1e30L && number < 1e30L))
        return std::nullopt;
    return number;
}

std::optional<long double> parseAs(FilterType type, std::string_view text)
{
    if (type == FilterType::Time) {
        const auto time = parseTime(text);
        return time.ok() ? std::optional<long double>(time.value()) : std::nullopt;
    }
    if (type == FilterType::Size || type == FilterType::Any)
        return parseSize(text);
    return parseNumber(text);
}

/// "128x1x1", "128,1,1"; missing sides are 1.
std::optional<std::array<std::int64_t, 3>> parseExtent(std::string_view text)
{
    std::array<std::int64_t, 3> sides{1, 1, 1};
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), sides[i]);
        if (problem != std::errc() || sides[i] < 0)
            return std::nullopt;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        if (text.empty())
            return i > 0 ? std::optional(sides) : std::nullopt;
        if (text.front() != 'x' && text.front() != 'X' && text.front() != '*')
            return std::nullopt;
        text.remove_prefix(1);
    }
    return std::nullopt;
}

Message expected(FilterType type)
{
    switch (type) {
    case FilterType::Time:
        return timeExpected();
    case FilterType::Size:
        return {"filter.size", "A size is expected here, such as 1e6, 4KiB or 1MB..2MB"};
    case FilterType::Extent:
        return {"filter.extent", "A number or an extent is expected here, such as 128 or 128x1x1"};
    default:
        return {"filter.number", "A number is expected here, such as 7 or 7..9"};
    }
}

/// A number, or LOW..HIGH.
bool parseNumbers(FilterType type, std::string_view text, FilterValue& value)
{
    std::optional<long double> low = parseAs(type, text);
    std::optional<long double> high = low;
    if (const auto dots = text.find(".."); !low && dots != std::string_view::npos) {
        low = parseAs(type, text.substr(0, dots));
        high = parseAs(type, text.substr(dots + 2));
    }
    value.isNumber = low && high;
    if (value.isNumber) {
        value.low = *low;
        value.high = *high;
    }
    return value.isNumber;
}

Message smallerValueFirst()
{
    return {"filter.order", "The smaller value comes first, as in 7..9"};
}

Message understandKind(const FilterTerm& term, const FilterValue& value)
{
    if (isHolding(term.compared))
        return {};
    const TextMatch match(TextMatch::How::Glob, value.glob);
    const auto kinds = allEventKinds();
    const auto isCalled = [&](EventKind kind) { return isKindCalled(kind, match, kind == EventKind::Nvtx); };
    if (std::ranges::any_of(kinds, isCalled))
        return {};
    std::vector<std::string> known = entryNames(kinds, [](EventKind kind) { return keyOf(kind); });
    known.emplace_back(kindKeyOf(EventKind::Nvtx, true));
    return {"filter.no_kind", "There is no kind '{kind}'; known: {known}",
        {{"kind", Name{value.text}}, {"known", Name{commaList(known)}}}};
}

/// `text` with a backslash before each of `letters`.
std::string escaped(std::string_view text, std::string_view letters)
{
    std::string out;
    for (const char c : text) {
        out += letters.find(c) != std::string_view::npos ? "\\" : "";
        out += c;
    }
    return out;
}

} // namespace

Message timeExpected()
{
    return {"filter.time", "A time is expected here, such as 50us, 1.5ms or 2ms..3ms"};
}

Message shorterTimeFirst()
{
    return {"filter.time_order", "The shorter time comes first, as in 2ms..3ms"};
}

bool isKindCalled(EventKind kind, const TextMatch& match, bool recordedOnGpu)
{
    if (match.isMatch(keyOf(kind)) || match.isMatch(titleOf(kind))
        || (recordedOnGpu && match.isMatch(kindKeyOf(kind, true))))
        return true;
    switch (kind) {
    case EventKind::Memcpy:
        return match.isMatch("copy");
    case EventKind::Memset:
        return match.isMatch("set");
    case EventKind::ApiCall:
        return match.isMatch("api");
    case EventKind::Sample:
        return match.isMatch("sample");
    default:
        return false;
    }
}

bool hasOrder(const FilterTerm& term)
{
    const FilterType type = typeOf(term);
    return isNumbered(term.field)
        || (type != FilterType::Text && type != FilterType::Words && type != FilterType::Path);
}

bool canHold(const FilterTerm& term)
{
    const FilterType type = typeOf(term);
    return type == FilterType::Text || type == FilterType::Words || type == FilterType::Path
        || type == FilterType::Any;
}

bool takesLists(const FilterTerm& term)
{
    const FilterType type = typeOf(term);
    return type == FilterType::Words || type == FilterType::Number || type == FilterType::Time
        || type == FilterType::Size;
}

Message understandValue(const FilterTerm& term, FilterValue& value)
{
    const std::string& text = value.text;
    const FilterType type = typeOf(term);
    const bool orders = isOrdering(term.compared);
    if (term.field == FilterField::Kind)
        return understandKind(term, value);
    if (type == FilterType::Text || type == FilterType::Path || isHolding(term.compared))
        return {};
    if (type == FilterType::Extent) {
        value.extent = orders ? std::nullopt : parseExtent(text);
        if (value.extent)
            return {};
    }
    const bool isNumber = parseNumbers(type, text, value);
    if (orders && isNumber && value.low != value.high)
        return {"filter.no_range",
            "One value is expected here: {range} only works with = and !=", {{"range", Name{text}}}};
    const bool mayBeText = (type == FilterType::Words || type == FilterType::Any) && !orders;
    if (isNumber && value.low > value.high && !mayBeText)
        return type == FilterType::Time ? shorterTimeFirst() : smallerValueFirst();
    return isNumber || mayBeText ? Message() : expected(type);
}

std::string quotedValue(std::string_view text)
{
    return '"' + escaped(text, "\"\\*?") + '"';
}

std::string globOfWord(std::string_view text)
{
    return escaped(text, "\\");
}

std::string quotedGlob(std::string_view glob)
{
    return '"' + escaped(glob, "\"") + '"';
}

} // namespace warpline
