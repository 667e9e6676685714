#include "core/base/access_tokens.h"
#include "core/base/ascii_case.h"
#include "core/base/secrets.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

constexpr std::string_view valueEnds(" \t\r\n\0,;&\"'}]", 12); // of values without quotes

/// Whether a sign between name and value, or an access token, may begin with a letter.
constexpr auto mayBegin = [] {
    std::array<bool, 256> letters{};
    for (const char c : accessTokenLetters)
        letters[static_cast<unsigned char>(c)] = true;
    letters[':'] = letters['='] = letters['%'] = true;
    return letters;
}();

/// What the name before a value says of it.
enum class Naming {
    None,
    Secret,
    Token, ///< "token", which programs also say of texts: "token: prefill"
    Header, ///< "Authorization": a credential is behind a scheme
    Listed, ///< any name in a dictionary of credentials
};

/// What is behind a sign, or is in a list.
struct AssignedValue {
    std::string_view text;
    bool isQuoted = false; ///< or behind a scheme
    bool isBelow = false; ///< on another line than its name
    bool isEncoded = false; ///< in an address within an address: "%3C" is '<' there
};

std::size_t placeOf(std::string_view value, std::string_view text)
{
    return static_cast<std::size_t>(value.data() - text.data());
}

/// Where the `letters` from `at` on end.
std::size_t skipped(std::string_view letters, std::string_view text, std::size_t at)
{
    return std::min(text.find_first_not_of(letters, at), text.size());
}

bool holds(std::string_view letters, char c)
{
    return letters.find(c) != std::string_view::npos;
}

/// The length of the sign at `at` between a name and a value: "name=", "name: ", "name := ", "name%3D", not
/// "a::b" or "a == b". 0: none.
std::size_t signAt(std::string_view text, std::size_t at)
{
    const auto isSign = [&](std::size_t i) { return i < text.size() && (text[i] == '=' || text[i] == ':'); };
    if (!isSign(at))
        return isLowered(text.substr(at, 3), "%3d") ? 3 : 0;
    const std::size_t first = at > 0 && text[at] == '=' && text[at - 1] == ':' ? at - 1 : at;
    return first > 0 && !isSign(first - 1) && !isSign(at + 1) ? 1 : 0;
}

/// The name that ends before the sign at `at`, also in quotes, in quotes of JSON that is a text of JSON, and
/// in an index.
std::string_view nameBefore(std::string_view text, std::size_t at)
{
    const auto skipAround = [&] { at = text.substr(0, at).find_last_not_of(" \"'\\") + 1; };
    if (text[at] == '=' && text[at - 1] == ':')
        --at;
    skipAround();
    if (at > 1 && text[at - 1] == ']' && holds("\"'", text[at - 2])) {
        --at;
        skipAround();
    }
    std::size_t begin = at;
    while (begin > 0 && (isIdentifierPart(text[begin - 1]) || text[begin - 1] == '-'))
        --begin;
    return text.substr(begin, at - begin);
}

Naming namingOf(std::string_view name)
{
    constexpr std::size_t longest = 64;
    if (isLowered(name, "token") || isLowered(name, "tokens"))
        return Naming::Token;
    if (name.size() > longest)
        return Naming::None;
    const std::string lower = lowered(name);
    return lower.ends_with("authorization") ? Naming::Header
        : looksSecret(lower)                ? Naming::Secret
                                            : Naming::None;
}

/// Where the value of "Bearer value", which begins at `begin`, begins; `begin`: there is no scheme.
std::size_t behindScheme(std::string_view text, std::size_t begin)
{
    constexpr std::array<std::string_view, 5> schemes{"bearer", "basic", "token", "digest", "apikey"};
    constexpr std::size_t longest = 6;
    const std::string_view first = text.substr(begin, longest + 1);
    const std::string word = lowered(first.substr(0, first.find_first_of(valueEnds)));
    const std::size_t next = skipped(" ", text, begin + word.size());
    return next < text.size() && !holds(valueEnds, text[next]) && std::ranges::count(schemes, word) > 0
        ? next
        : begin;
}

/// The value behind the quote before `begin`, which has `escapes` backslashes before it: 1 in JSON that is a
/// text of JSON.
std::string_view quotedValue(std::string_view text, std::size_t begin, std::size_t escapes)
{
    std::size_t end = begin;
    for (std::size_t run = 0; end < text.size(); ++end) {
        if (text[end] == text[begin - 1] && run % (2 * escapes + 2) == escapes)
            return text.substr(begin, end - escapes - begin);
        run = text[end] == '\\' ? run + 1 : 0;
    }
    return text.substr(begin);
}

/// The value at `at`, behind a sign or in a list. Looks no further than it must: a text may be all headers.
AssignedValue valueAt(std::string_view text, std::size_t at, Naming naming)
{
    if (naming == Naming::None)
        return {};
    const bool isEncoded = at > 2 && isLowered(text.substr(at - 3, 3), "%3d");
    std::size_t begin = isEncoded ? at : skipped(" \t\r\n", text, at);
    const bool isBelow = naming != Naming::Listed
        && text.substr(at, begin - at).find_first_of("\r\n") != std::string_view::npos;
    const std::size_t escape = skipped("bBrRuUfF", text.substr(0, begin + 2), begin); // of Python: b"..."
    const std::size_t quote = skipped("\\", text, escape);
    const bool isQuoted = !isEncoded && quote < text.size() && holds("\"'", text[quote]);
    begin = isQuoted ? quote + 1 : begin;
    const bool mayHaveScheme = !isEncoded && (!isQuoted || naming == Naming::Header);
    const std::size_t next = mayHaveScheme ? behindScheme(text, begin) : begin;
    if (naming == Naming::Header && next == begin)
        return {};
    if (isQuoted && next == begin && !isBelow)
        return {quotedValue(text, begin, quote - escape), true};
    std::string_view value = text.substr(next, text.find_first_of(valueEnds, next) - next);
    value = value.substr(0, isEncoded ? value.find("%26") : value.size());
    if (next > begin && naming != Naming::Header && !isUnlikeWords(value))
        return {}; // with its ')': a number before it is no word
    if (!holds(value, '('))
        value = value.substr(0, value.find_last_not_of(')') + 1); // of a call: "f(token=...)"
    return {value, next > begin, isBelow && next == begin, isEncoded};
}

/// Whether `value` was blanked before ("***", "<scrubbed>"), or describes an object: "<class 'Token'>".
bool isBlanked(std::string_view text, const AssignedValue& value)
{
    constexpr std::size_t longest = 200;
    if (value.text.find_first_not_of('*') == std::string_view::npos)
        return true;
    if (value.text.size() > longest)
        return false;
    if (value.isEncoded && isLowered(value.text.substr(0, 3), "%3c"))
        return isLowered(value.text.substr(value.text.size() - 3), "%3e");
    if (value.text.front() != '<' || value.isQuoted)
        return value.text.front() == '<' && value.text.ends_with('>');
    const std::string_view around
        = value.isEncoded ? value.text : text.substr(placeOf(value.text, text), longest);
    return holds(around.substr(0, around.find('\n')), '>') // "<Foo object>.value"
        || std::ranges::none_of(value.text, isDigit);
}

/// Whether `value`, a place in `text` behind a plain "token", is a number, as in "token=1234.5", or words
/// that a text has behind a colon: "token: prefill", "token: step_12".
bool isOfWords(std::string_view text, std::string_view value)
{
    constexpr std::size_t longestWord = 15;
    constexpr std::size_t longest = 200;
    const std::size_t begin = placeOf(value, text);
    const std::size_t sign = text.substr(0, begin).find_last_not_of(' ');
    const bool isTold = sign + 1 < begin && text[sign] == ':';
    std::size_t word = 0;
    std::size_t turns = 0; // from digits to letters, or back: few in words, as in "step12" and "1024us"
    const bool hasRandom = std::ranges::any_of(value, [&, before = false](char c) mutable {
        constexpr std::size_t shortestRandom = 7; // "128x64" is short
        word = isIdentifierPart(c) && c != '_' ? word + 1 : 0;
        turns = word < 2 ? 0 : turns + (isDigit(c) != before ? 1 : 0);
        before = isDigit(c);
        return word > longestWord || (turns > 1 && word >= shortestRandom);
    });
    const auto first = std::ranges::find_if(value, isIdentifierPart);
    const bool isNumber = first != value.end() && isDigit(*first);
    return (isTold || isNumber) && !hasRandom && value.size() <= longest;
}

/// Whether `value` is no short word or number, nor the first number of a list, and not other text.
bool isCredential(std::string_view text, Naming naming, const AssignedValue& value)
{
    constexpr std::size_t shortest = 6;
    constexpr std::size_t longestWords = 200;
    const auto isPlain = [](char c) { return isIdentifierPart(c) || c == '-' || c == '+'; };
    const std::string_view word = value.text.substr(skipped("[({", value.text, 0));
    if (value.text.size() < shortest || isSmallNumber(word) || isBlanked(text, value))
        return false;
    if (naming == Naming::Listed)
        return value.isQuoted && isUnlikeWords(value.text)
            && (!holds(value.text, ' ') || value.text.size() > longestWords);
    if (value.isBelow // or a line of its own: "token:\nTraceback"
        && !(isUnlikeWords(value.text) && std::ranges::any_of(value.text, isDigit)
            && std::ranges::all_of(value.text, isPlain)))
        return false;
    return naming != Naming::Token || !isOfWords(text, value.text);
}

/// Whether a list of credentials may begin with `value`; "tokens={...}" counts or describes them.
bool beginsList(Naming naming, std::string_view value)
{
    return (naming == Naming::Secret || naming == Naming::Token)
        && (value.starts_with('[') || value.starts_with('(')
            || (value.starts_with('{') && naming == Naming::Secret));
}

void addCredentials(std::string_view text, std::size_t depth, std::vector<std::string_view>& found);

/// Adds the credentials of the list whose bracket is at `at`: its texts in quotes, without blanks, and those
/// of lists in it and in other texts of it. Returns where they end, at the latest behind the first key; 0: it
/// has no texts.
std::size_t addListed(std::string_view text, Naming naming, std::size_t at, std::size_t depth,
    std::vector<std::string_view>& found)
{
    std::size_t end = 0;
    for (std::size_t open = 0; at < text.size();) {
        const bool begins = beginsList(naming, text.substr(at));
        const bool ends = holds("])}", text[at]);
        open += begins ? 1 : 0;
        if (ends && --open == 0)
            break;
        if (begins || ends || holds(", \t\r\n", text[at])) {
            ++at;
            continue;
        }
        const AssignedValue value = valueAt(text, at, naming);
        if (!value.isQuoted)
            break; // it may have a name
        at = end = skipped(" \\\"'", text, placeOf(value.text, text) + value.text.size());
        if (at < text.size() && text[at] == ':')
            break; // it is a key
        if (!holds(value.text, ' ') && isCredential(text, naming, value))
            found.push_back(value.text);
        else
            addCredentials(value.text, depth + 1, found);
    }
    return end;
}

/// "user:password" of the address whose "://" ends before `begin`: "https://user:password@host". May be
/// empty.
std::string_view userOfAddress(std::string_view text, std::size_t begin)
{
    constexpr std::size_t token = 20; // shorter names alone are of a user
    const std::string_view place = text.substr(begin, text.find_first_of("/?# \t\n'\"", begin) - begin);
    const std::string_view user = place.substr(0, std::min(place.rfind('@'), place.size()));
    const bool isSecret = user.size() < place.size() && (user.size() >= token || holds(user, ':'));
    return isSecret ? user : std::string_view();
}

/// Adds the credentials of `text` to `found`. `depth`: in how many lists it is a text.
void addCredentials(std::string_view text, std::size_t depth, std::vector<std::string_view>& found)
{
    constexpr std::size_t deepest = 4; // each text is read once per depth
    std::size_t next = 0; // behind the last value or list
    std::size_t dictionary = 0; // end of the last one of credentials: any name in it may have one
    const auto readDictionary = [&](std::size_t begin) {
        constexpr std::size_t longest = 1000;
        const std::size_t size = text.substr(begin, longest).find('}');
        dictionary = size == std::string_view::npos ? 0 : begin + size;
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!mayBegin[static_cast<unsigned char>(text[at])]
            || at < next) // every string of a report passes here
            continue;
        std::string_view credential = accessTokenAt(text, at);
        const std::size_t sign = credential.empty() ? signAt(text, at) : 0;
        if (sign > 0 && text.substr(at, 3) == "://") { // the name is that of a scheme
            credential = userOfAddress(text, at + 3);
        } else if (sign > 0) {
            Naming naming = namingOf(nameBefore(text, at));
            if (naming == Naming::None && at < dictionary)
                naming = Naming::Listed;
            const AssignedValue value = valueAt(text, at + sign, naming);
            if (sign == 1 && !value.isQuoted && beginsList(naming, value.text)) {
                const std::size_t begin = placeOf(value.text, text);
                if (value.text.front() == '{')
                    readDictionary(begin);
                const std::size_t end = depth < deepest ? addListed(text, naming, begin, depth, found) : 0;
                next = std::max(next, end);
                if (end > 0)
                    continue;
            }
            if (isCredential(text, naming, value))
                credential = value.text;
        }
        if (credential.empty())
            continue;
        found.push_back(credential);
        next = placeOf(credential, text) + credential.size();
        if (at < dictionary && next > dictionary)
            readDictionary(next); // the bracket was in the value
    }
}

} // namespace

std::vector<std::string_view> credentialsIn(std::string_view text)
{
    std::vector<std::string_view> found;
    addCredentials(text, 0, found);
    return found;
}

std::optional<std::string> withoutCredentials(std::string_view text, std::vector<std::string>* hidden)
{
    constexpr int most = 5; // a hidden '>' or blank may show one more
    std::optional<std::string> shown;
    for (int i = 0;; ++i) {
        const std::vector<std::string_view> found = credentialsIn(text);
        if (found.empty())
            return shown;
        std::string without;
        std::size_t copied = 0;
        for (const std::string_view value : found) {
            const std::size_t begin = placeOf(value, text);
            without.append(text, copied, begin - copied) += hiddenValue;
            copied = begin + value.size();
        }
        without += text.substr(copied);
        if (hidden)
            hidden->insert(hidden->end(), found.begin(), found.end());
        if (i == most) // made to show one more each time
            return std::string(hiddenValue);
        text = *(shown = std::move(without));
    }
}

} // namespace warpline
