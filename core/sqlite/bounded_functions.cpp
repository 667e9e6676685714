#include "core/sqlite/bounded_functions.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace warpline::sqlite {

namespace {

struct Watch {
    bool (*isLate)(void*);
    void* self;
};

bool isContinued(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// The bytes of the character at `at`, as SQLite counts them in UTF-8.
std::size_t lengthAt(std::string_view text, std::size_t at)
{
    std::size_t end = at + 1;
    if (static_cast<unsigned char>(text[at]) >= 0xC0U) {
        while (end < text.size() && isContinued(text[end]))
            ++end;
    }
    return end - at;
}

std::string_view characterAt(std::string_view text, std::size_t at)
{
    return text.substr(at, lengthAt(text, at));
}

std::string_view textOf(sqlite3_value* value)
{
    const auto* const text = reinterpret_cast<const char*>(sqlite3_value_text(value));
    return text ? std::string_view(text, static_cast<std::size_t>(sqlite3_value_bytes(value)))
                : std::string_view();
}

bool anyNull(int count, sqlite3_value** values)
{
    return std::any_of(values, values + count,
        [](sqlite3_value* value) { return sqlite3_value_type(value) == SQLITE_NULL; });
}

void setText(sqlite3_context* context, std::string_view text)
{
    sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Where `what` first stands in `text` from `from` on; npos: nowhere. In time that grows with both together.
class Finder {
public:
    explicit Finder(std::string_view what)
        : m_what(what),
          m_borders(what.size(), 0)
    {
        std::size_t length = 0;
        for (std::size_t i = 1; i < what.size(); ++i) {
            while (length > 0 && what[length] != what[i])
                length = m_borders[length - 1];
            length += what[length] == what[i] ? 1 : 0;
            m_borders[i] = length;
        }
    }
    std::size_t in(std::string_view text, std::size_t from) const
    {
        // Boyer and Moore take the product of both where a text repeats itself: Knuth, Morris and Pratt do
        // not.
        std::size_t matched = 0;
        for (std::size_t i = from; i < text.size(); ++i) {
            while (matched > 0 && m_what[matched] != text[i])
                matched = m_borders[matched - 1];
            matched += m_what[matched] == text[i] ? 1 : 0;
            if (matched == m_what.size())
                return i + 1 - matched;
        }
        return std::string_view::npos;
    }

private:
    std::string_view m_what;
    std::vector<std::size_t> m_borders; ///< how much of the beginning ends at each place as well
};

void instr(sqlite3_context* context, int count, sqlite3_value** values)
{
    if (anyNull(count, values))
        return;
    const bool ofBytes
        = sqlite3_value_type(values[0]) == SQLITE_BLOB && sqlite3_value_type(values[1]) == SQLITE_BLOB;
    const std::string_view text = textOf(values[0]);
    const std::string_view what = textOf(values[1]);
    std::size_t at = what.empty() ? 0 : Finder(what).in(text, 0);
    // A character that begins in the middle of another one is none.
    while (!ofBytes && at != std::string_view::npos && at < text.size() && isContinued(text[at]) && at > 0)
        at = Finder(what).in(text, at + 1);
    if (at != std::string_view::npos && !ofBytes)
        at = static_cast<std::size_t>(
            std::ranges::count_if(text.substr(0, at), [](char c) { return !isContinued(c); }));
    sqlite3_result_int64(context, at == std::string_view::npos ? 0 : static_cast<sqlite3_int64>(at + 1));
}

void replace(sqlite3_context* context, int count, sqlite3_value** values)
{
    if (anyNull(count - 1, values))
        return;
    const std::string_view text = textOf(values[0]);
    const std::string_view what = textOf(values[1]);
    const std::string_view by = textOf(values[2]);
    if (what.empty()) {
        setText(context, text);
        return;
    }
    if (anyNull(count, values))
        return;
    const auto most = static_cast<std::size_t>(
        sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1));
    const Finder finder(what);
    std::string made;
    std::size_t from = 0;
    for (std::size_t at = finder.in(text, 0); at != std::string_view::npos; at = finder.in(text, from)) {
        made.append(text.substr(from, at - from)).append(by);
        from = at + what.size();
        if (made.size() > most) {
            sqlite3_result_error_toobig(context);
            return;
        }
    }
    made.append(text.substr(from));
    if (made.size() > most)
        sqlite3_result_error_toobig(context);
    else
        setText(context, made);
}

/// 1: from the left, 2: from the right.
template <int sides> void trim(sqlite3_context* context, int count, sqlite3_value** values)
{
    if (anyNull(count, values))
        return;
    std::string_view text = textOf(values[0]);
    const std::string_view gone = count > 1 ? textOf(values[1]) : std::string_view(" ");
    std::unordered_set<std::string_view> characters;
    for (std::size_t at = 0; at < gone.size(); at += lengthAt(gone, at))
        characters.insert(characterAt(gone, at));
    while ((sides & 1) != 0 && !text.empty() && characters.contains(characterAt(text, 0)))
        text.remove_prefix(lengthAt(text, 0));
    while ((sides & 2) != 0 && !text.empty()) {
        std::size_t begin = text.size() - 1;
        while (begin > 0 && isContinued(text[begin]))
            --begin;
        if (!characters.contains(text.substr(begin)))
            break;
        text.remove_suffix(text.size() - begin);
    }
    setText(context, text);
}

/// What one character of a pattern stands for.
struct Place {
    enum class Kind : std::uint8_t { Any, One, Set, Character, Never };
    Kind kind = Kind::Never;
    std::string_view text; ///< the character, or the set without its brackets
    std::size_t length = 1; ///< bytes of the pattern
};

std::string_view lower(std::string_view character, char& kept)
{
    if (character.size() != 1 || character[0] < 'A' || character[0] > 'Z')
        return character;
    kept = static_cast<char>(character[0] - 'A' + 'a');
    return {&kept, 1};
}

bool sameLetter(std::string_view a, std::string_view b, bool anyCase)
{
    char keptA = 0;
    char keptB = 0;
    return a == b || (anyCase && lower(a, keptA) == lower(b, keptB));
}

/// The set of GLOB: "[a-z]", "[^]x]"; a bracket first in it stands for itself.
Place setAt(std::string_view pattern, std::size_t at)
{
    std::size_t end = at + 1;
    end += end < pattern.size() && pattern[end] == '^' ? 1 : 0;
    end += end < pattern.size() && pattern[end] == ']' ? 1 : 0;
    while (end < pattern.size() && pattern[end] != ']')
        ++end;
    if (end == pattern.size())
        return {Place::Kind::Never, {}, pattern.size() - at};
    return {Place::Kind::Set, pattern.substr(at + 1, end - at - 1), end + 1 - at};
}

bool isIn(std::string_view set, std::string_view character)
{
    const bool isInverted = set.starts_with('^');
    set.remove_prefix(isInverted ? 1 : 0);
    bool found = false;
    std::string_view before; // what a range may begin with
    if (set.starts_with(']')) { // which begins none
        found = character == "]";
        set.remove_prefix(1);
    }
    for (std::size_t at = 0; at < set.size();) {
        const std::string_view one = characterAt(set, at);
        if (one == "-" && !before.empty() && at + 1 < set.size()) {
            const std::string_view last = characterAt(set, at + 1);
            found = found || (before <= character && character <= last);
            at += 1 + last.size();
            before = {};
            continue;
        }
        found = found || one == character;
        before = one;
        at += one.size();
    }
    return found != isInverted;
}

struct Pattern {
    std::string_view text;
    bool isLike = false;
    std::string_view escape; ///< of LIKE; empty: none

    Place at(std::size_t place) const
    {
        const std::string_view one = characterAt(text, place);
        if (!escape.empty() && one == escape) {
            if (place + one.size() >= text.size())
                return {Place::Kind::Never, {}, one.size()};
            const std::string_view next = characterAt(text, place + one.size());
            return {Place::Kind::Character, next, one.size() + next.size()};
        }
        if (one == (isLike ? "%" : "*"))
            return {Place::Kind::Any, one, 1};
        if (one == (isLike ? "_" : "?"))
            return {Place::Kind::One, one, 1};
        return !isLike && one == "[" ? setAt(text, place) : Place{Place::Kind::Character, one, one.size()};
    }

    bool takes(const Place& place, std::string_view character) const
    {
        return place.kind == Place::Kind::One
            || (place.kind == Place::Kind::Character && sameLetter(place.text, character, isLike))
            || (place.kind == Place::Kind::Set && isIn(place.text, character));
    }
};

/// Whether all of `text` is as `pattern` says. Only the last "any" is tried again, which is enough: the time
/// is the product of both at most. Nothing: it is late.
std::optional<bool> matches(const Pattern& pattern, std::string_view text, const Watch& watch)
{
    constexpr std::size_t stepsBetweenLooks = 1U << 16U;
    std::size_t steps = 0;
    std::size_t at = 0;
    std::size_t place = 0;
    std::size_t afterAny = std::string_view::npos;
    std::size_t tried = 0; // where in the text what follows the last "any" was tried
    while (at < text.size()) {
        if (++steps % stepsBetweenLooks == 0 && watch.isLate(watch.self))
            return std::nullopt;
        const Place next = place < pattern.text.size() ? pattern.at(place) : Place{};
        if (next.kind == Place::Kind::Any) {
            place += next.length;
            afterAny = place;
            tried = at;
        } else if (const std::string_view one = characterAt(text, at); pattern.takes(next, one)) {
            place += next.length;
            at += one.size();
        } else if (afterAny != std::string_view::npos) {
            tried += lengthAt(text, tried);
            at = tried;
            place = afterAny;
        } else {
            return false;
        }
    }
    while (place < pattern.text.size() && pattern.at(place).kind == Place::Kind::Any)
        ++place;
    return place == pattern.text.size();
}

/// LIKE and GLOB end at a NUL.
std::string_view untilNul(std::string_view text)
{
    return text.substr(0, text.find('\0'));
}

template <bool isLike> void match(sqlite3_context* context, int count, sqlite3_value** values)
{
    const std::string_view pattern = textOf(values[0]);
    if (pattern.size() > static_cast<std::size_t>(
            sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LIKE_PATTERN_LENGTH, -1))) {
        sqlite3_result_error(context, "LIKE or GLOB pattern too complex", -1);
        return;
    }
    if (anyNull(count, values))
        return;
    const std::string_view escape = count > 2 ? textOf(values[2]) : std::string_view();
    if (count > 2 && (escape.empty() || lengthAt(escape, 0) != escape.size())) {
        sqlite3_result_error(context, "ESCAPE expression must be a single character", -1);
        return;
    }
    const auto& watch = *static_cast<const Watch*>(sqlite3_user_data(context));
    const auto found = matches({untilNul(pattern), isLike, escape}, untilNul(textOf(values[1])), watch);
    if (found)
        sqlite3_result_int(context, *found ? 1 : 0);
    else
        sqlite3_result_error_code(context, SQLITE_INTERRUPT);
}

/// Nothing may be thrown through SQLite.
template <auto run> void guarded(sqlite3_context* context, int count, sqlite3_value** values)
{
    try {
        run(context, count, values);
    } catch (const std::bad_alloc&) {
        sqlite3_result_error_nomem(context);
    }
}

} // namespace

void addBoundedFunctions(sqlite3* db, bool (*isLate)(void* self), void* self)
{
    struct Function {
        const char* name;
        int arguments;
        void (*run)(sqlite3_context*, int, sqlite3_value**);
    };
    static constexpr std::array functions{Function{"instr", 2, guarded<instr>},
        Function{"replace", 3, guarded<replace>}, Function{"trim", 1, guarded<trim<3>>},
        Function{"trim", 2, guarded<trim<3>>}, Function{"ltrim", 1, guarded<trim<1>>},
        Function{"ltrim", 2, guarded<trim<1>>}, Function{"rtrim", 1, guarded<trim<2>>},
        Function{"rtrim", 2, guarded<trim<2>>}, Function{"like", 2, guarded<match<true>>},
        Function{"like", 3, guarded<match<true>>}, Function{"glob", 2, guarded<match<false>>}};
    for (const Function& each : functions)
        sqlite3_create_function_v2(db, each.name, each.arguments,
            SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, new Watch{isLate, self}, each.run, nullptr,
            nullptr, [](void* watch) { delete static_cast<Watch*>(watch); });
}

} // namespace warpline::sqlite
