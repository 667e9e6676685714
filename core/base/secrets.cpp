#include "core/base/secrets.h"

#include "core/base/words.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace warpline {

namespace {

constexpr std::array<std::string_view, 12> secretWords{"token", "secret", "passw", "passphrase", "api_key",
    "apikey", "access_key", "private_key", "credential", "auth_key", "session_key", "license_key"};
constexpr std::array<std::string_view, 5> harmlessWords{
    "tokenizer", "token_type", "max_token", "num_token", "max_new_token"};
// Suffixes of names that hold a location, not a secret: HF_TOKEN_PATH, PASSWD_FILE.
constexpr std::array<std::string_view, 5> places{"_path", "_paths", "_file", "_dir", "_home"};
constexpr std::string_view personalToken = "_pat"; // matches GITHUB_PAT, not LD_LIBRARY_PATH

bool isNameLetter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/// Whether "_PAT" is a whole word of `name`.
bool namesPersonalToken(std::string_view name)
{
    for (std::size_t at = 0; at + personalToken.size() <= name.size(); ++at) {
        const std::size_t end = at + personalToken.size();
        if (containsWord(name.substr(at, personalToken.size()), personalToken)
            && (end == name.size() || name[end] == '_' || !isNameLetter(name[end])))
            return true;
    }
    return false;
}

bool isSmallNumber(std::string_view value)
{
    constexpr std::size_t maxDigits = 6;
    return !value.empty() && value.size() <= maxDigits
        && std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
}

/// "--tokens 512" is a size, not a credential.
bool isCount(std::string_view name, std::string_view value)
{
    return isSmallNumber(value) && containsWord(name, "tokens");
}

/// "..." for a hidden value, the value where it is a small number, "<...>" where it was blanked before.
std::string_view keptValue(std::string_view value)
{
    if (value.empty())
        return {};
    if (value.front() == '<' || value.front() == '*')
        return "<...>";
    return isSmallNumber(value) ? value : hiddenValue;
}

/// Whether a name may end at `at`, and its value begin behind it: "name=", "name: ", not "a::b" or "a == b".
bool assignsAt(std::string_view text, std::size_t at)
{
    const auto isSign = [](char c) { return c == '=' || c == ':'; };
    const bool isDoubled = (at > 0 && isSign(text[at - 1])) || (at + 1 < text.size() && isSign(text[at + 1]));
    return at > 0 && !isDoubled;
}

/// The name that ends before `at`, also in quotes, and in quotes of JSON that is a text of JSON.
std::string_view nameBefore(std::string_view text, std::size_t at)
{
    while (at > 0 && std::string_view(" \"'\\").find(text[at - 1]) != std::string_view::npos)
        --at;
    std::size_t begin = at;
    while (begin > 0 && (isNameLetter(text[begin - 1]) || text[begin - 1] == '-'))
        --begin;
    return text.substr(begin, at - begin);
}

constexpr std::string_view valueEnds(" \t\n\0,;&\"'}])", 11);

/// The unquoted value after the sign at `at`; empty: it was blanked before.
std::string_view valueAfter(std::string_view text, std::size_t at)
{
    std::size_t begin = at + 1;
    while (begin < text.size() && text[begin] == ' ')
        ++begin;
    const std::size_t quote = std::min(text.find_first_not_of('\\', begin), text.size());
    const bool isQuoted = quote < text.size() && (text[quote] == '"' || text[quote] == '\'');
    if (isQuoted && quote > begin) { // as escaped at its end as at its beginning
        const std::string_view sign = text.substr(begin, quote + 1 - begin);
        std::size_t end = text.find(sign, quote + 1);
        while (end != std::string_view::npos && text[end - 1] == '\\')
            end = text.find(sign, end + 1);
        return text.substr(quote + 1, end == std::string_view::npos ? end : end - quote - 1);
    }
    const std::string_view ends = isQuoted ? text.substr(begin, 1) : valueEnds;
    begin = std::min(begin + (isQuoted ? 1 : 0), text.size());
    if (begin == text.size() || text[begin] == '<' || text[begin] == '*')
        return {};
    std::size_t end = begin;
    while (end < text.size() && ends.find(text[end]) == std::string_view::npos)
        end += isQuoted && text[end] == '\\' ? 2 : 1;
    return text.substr(begin, end - begin);
}

/// What is behind the scheme of "Authorization: Bearer token"; empty: no scheme.
std::string_view behindScheme(std::string_view text, std::string_view value)
{
    constexpr std::array<std::string_view, 5> schemes{"bearer", "basic", "token", "digest", "apikey"};
    const std::string_view first = value.substr(0, value.find(' '));
    if (std::ranges::none_of(schemes, [&](std::string_view scheme) {
            return first.size() == scheme.size() && containsWord(first, scheme);
        }))
        return {};
    const auto end = static_cast<std::size_t>(first.data() - text.data()) + first.size();
    const std::size_t begin = std::min(text.find_first_not_of(' ', end), text.size());
    return text.substr(begin, std::min(text.find_first_of(valueEnds, begin), text.size()) - begin);
}

/// "user:password" of the address whose "://" is at `at`: "https://user:password@host". May be empty.
std::string_view userOfAddress(std::string_view text, std::size_t at)
{
    constexpr std::string_view sign("://");
    if (text.substr(at, sign.size()) != sign)
        return {};
    const std::size_t begin = at + sign.size();
    const std::string_view place = text.substr(begin, text.find_first_of("/?# \t\n'\"", begin) - begin);
    const std::size_t end = place.rfind('@');
    const std::string_view user = place.substr(0, end == std::string_view::npos ? 0 : end);
    constexpr std::size_t token = 20; // shorter names alone are of a user
    return user.size() >= token || user.find(':') != std::string_view::npos ? user : std::string_view();
}

} // namespace

bool looksSecret(std::string_view name)
{
    std::string plain(name);
    std::ranges::replace(plain, '-', '_');
    const std::string_view text = plain;
    const auto holds = [&](std::string_view word) { return containsWord(text, word); };
    const auto ends = [&](std::string_view word) {
        return text.size() >= word.size() && containsWord(text.substr(text.size() - word.size()), word);
    };
    if (std::ranges::any_of(places, ends) || std::ranges::any_of(harmlessWords, holds))
        return false;
    return std::ranges::any_of(secretWords, holds) || namesPersonalToken(text);
}

std::string namesOfVariables(std::string_view text)
{
    constexpr std::string_view separators("\n;\" ,\0", 6);
    std::string names;
    for (std::size_t sign = text.find('='); sign != std::string_view::npos; sign = text.find('=', sign + 1)) {
        std::size_t begin = sign;
        while (begin > 0 && isNameLetter(text[begin - 1]))
            --begin;
        const bool startsWord = begin == 0 || separators.find(text[begin - 1]) != std::string_view::npos;
        if (!startsWord || begin == sign)
            continue;
        const std::size_t end = std::min(text.find_first_of(separators, sign + 1), text.size());
        if (!names.empty())
            names += '\n';
        names += text.substr(begin, sign + 1 - begin);
        names += keptValue(text.substr(sign + 1, end - sign - 1));
    }
    return names;
}

std::optional<std::string> withoutCredentials(std::string_view text)
{
    constexpr std::size_t shortest = 6;
    constexpr std::size_t longestName = 64;
    constexpr std::string_view header("authorization");
    std::string shown;
    std::size_t told = 0; // end of the part of `text` that is copied
    for (std::size_t at = 0; at < text.size(); ++at) { // faster than find_first_of()
        if ((text[at] != '=' && text[at] != ':') || at < told || !assignsAt(text, at))
            continue;
        std::string_view value = userOfAddress(text, at);
        if (value.empty()) {
            const std::string_view name = nameBefore(text, at);
            const bool isHeader = name.size() >= header.size()
                && containsWord(name.substr(name.size() - header.size()), header);
            if (name.size() > longestName || (!isHeader && !looksSecret(name)))
                continue;
            value = valueAfter(text, at);
            if (isHeader)
                value = behindScheme(text, value);
            if (value.size() < shortest || isSmallNumber(value))
                continue;
        }
        const auto begin = static_cast<std::size_t>(value.data() - text.data());
        shown += text.substr(told, begin - told);
        shown += hiddenValue;
        told = begin + value.size();
    }
    if (told == 0)
        return {};
    return shown += text.substr(told);
}

void hideCredentials(std::vector<std::string*>& arguments)
{
    std::string secret; // the option before, which wants a value
    for (std::string* const argument : arguments) {
        const std::string option = std::exchange(secret, {});
        if (!option.empty() && !argument->empty() && argument->front() != '-') {
            if (!isCount(option, *argument))
                *argument = hiddenValue;
            continue;
        }
        const std::size_t sign = argument->find('=');
        const std::string name = argument->substr(0, sign);
        if (looksSecret(name)) {
            if (sign == std::string::npos)
                secret = name.starts_with('-') ? name : std::string();
            else if (sign + 1 < argument->size() && !isCount(name, argument->substr(sign + 1)))
                argument->replace(sign + 1, std::string::npos, hiddenValue);
        }
        *argument = withoutCredentials(*argument).value_or(*argument); // users of addresses
    }
}

} // namespace warpline
