#include "core/base/secrets.h"

#include "core/base/ascii_case.h"
#include "core/base/words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <span>

namespace warpline {

namespace {

constexpr std::array<std::string_view, 19> secretWords{"token", "secret", "passw", "passphrase", "api_key",
    "apikey", "access_key", "accesskey", "account_key", "accountkey", "private_key", "privatekey",
    "credential", "auth_key", "session_key", "sessionkey", "license_key", "sql_pwd", "db_pwd"};
constexpr std::array<std::string_view, 5> harmlessWords{
    "tokenizer", "token_type", "max_token", "num_token", "max_new_token"};
// Suffixes of names that hold a location, not a secret: HF_TOKEN_PATH, PASSWD_FILE.
constexpr std::array<std::string_view, 5> places{"_path", "_paths", "_file", "_dir", "_home"};
constexpr std::string_view personalToken = "_pat"; // matches GITHUB_PAT, not LD_LIBRARY_PATH

/// How access tokens of a service begin, and how many letters, digits and `signs` follow.
struct TokenShape {
    std::string_view begin;
    std::string_view signs;
    std::size_t least = 0;
    std::size_t most = std::string_view::npos;
    std::size_t word = 0; ///< so many letters and digits without signs, where names begin alike; with a digit
    bool inCapitals = false; ///< no small letters, perhaps no digits
};
constexpr std::array tokenShapes{
    TokenShape{"hf_", "", 34, 34}, // Hugging Face
    TokenShape{"ghp_", "", 36, 36}, // GitHub, also the next five
    TokenShape{"gho_", "", 36, 36}, TokenShape{"ghu_", "", 36, 36}, TokenShape{"ghs_", "", 36, 36},
    TokenShape{"ghr_", "", 36, 36}, TokenShape{"github_pat_", "_", 60},
    TokenShape{"glpat-", "_-.", 20}, // GitLab
    TokenShape{"nvapi-", "_-", 40}, // NVIDIA
    TokenShape{"sk-", "_-", 40, std::string_view::npos, 12}, // OpenAI, Anthropic
    TokenShape{"xoxb-", "-", 40}, // Slack, also the next one
    TokenShape{"xoxp-", "-", 40}, TokenShape{"AKIA", "", 16, 16, 0, true}, // Amazon
    TokenShape{"AIza", "_-", 35, 35}, // Google
    TokenShape{"eyJ", "_-.", 60, std::string_view::npos, 12}, // a JSON Web Token
};

/// Whether a sign between name and value, or the beginning of a token, may be a letter.
constexpr auto mayBegin = [] {
    std::array<bool, 256> letters{};
    letters[':'] = letters['='] = letters['%'] = true;
    for (const TokenShape& shape : tokenShapes)
        letters[static_cast<unsigned char>(shape.begin.front())] = true;
    return letters;
}();

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

/// Whether `name` is "token" or "tokens", which programs also say of texts: "token: prefill".
bool isPlainToken(std::string_view name)
{
    return isLowered(name, "token") || isLowered(name, "tokens");
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

/// Whether a name may end at `at`, and its value begin behind it: "name=", "name: ", "name := ", not "a::b"
/// or "a == b".
bool assignsAt(std::string_view text, std::size_t at)
{
    const auto isSign = [](char c) { return c == '=' || c == ':'; };
    const std::size_t first = at > 0 && text[at] == '=' && text[at - 1] == ':' ? at - 1 : at;
    const bool isDoubled
        = (first > 0 && isSign(text[first - 1])) || (at + 1 < text.size() && isSign(text[at + 1]));
    return first > 0 && !isDoubled;
}

/// Whether '=' is at `at` as addresses have it in a value.
bool isEncodedSign(std::string_view text, std::size_t at)
{
    const std::string_view sign = text.substr(at, 3);
    return sign == "%3D" || sign == "%3d";
}

/// The name that ends before `at`, also in quotes, in quotes of JSON that is a text of JSON, and in an index.
std::string_view nameBefore(std::string_view text, std::size_t at)
{
    constexpr std::string_view around(" \"'\\");
    const auto skipAround = [&] { at = text.substr(0, at).find_last_not_of(around) + 1; };
    if (text[at] == '=' && text[at - 1] == ':')
        --at;
    skipAround();
    if (at > 1 && text[at - 1] == ']' && (text[at - 2] == '"' || text[at - 2] == '\'')) {
        --at;
        skipAround();
    }
    std::size_t begin = at;
    while (begin > 0 && (isNameLetter(text[begin - 1]) || text[begin - 1] == '-'))
        --begin;
    return text.substr(begin, at - begin);
}

constexpr std::string_view valueEnds(" \t\n\0,;&\"'}])", 11);

/// Where a value begins, and the quote around it.
struct ValueStart {
    std::size_t begin = 0;
    char quote = 0; ///< 0: none
    std::size_t escapes = 0; ///< backslashes before the quote
};

/// Of the value after the sign at `at`, which may be a string of Python: b"...".
ValueStart valueStart(std::string_view text, std::size_t at)
{
    const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n", at + 1), text.size());
    const std::string_view letters = text.substr(begin, 2);
    const std::size_t escapes
        = begin + std::min(letters.find_first_not_of("bBrRuUfF"), letters.size()); // behind its prefix
    const std::size_t quote = std::min(text.find_first_not_of('\\', escapes), text.size());
    if (quote < text.size() && (text[quote] == '"' || text[quote] == '\''))
        return {quote + 1, text[quote], quote - escapes};
    return {begin};
}

/// Whether the value that begins at `begin`, behind `quote` or 0, was blanked before ("***", "<scrubbed>"),
/// or describes an object: "<class 'Token'>". Looks no further than it must: a text may be all such values.
bool isBlankedAt(std::string_view text, std::size_t begin, char quote)
{
    const std::size_t stars = std::min(text.find_first_not_of('*', begin), text.size());
    if (stars > begin)
        return stars == text.size() || valueEnds.find(text[stars]) != std::string_view::npos;
    if (begin == text.size() || text[begin] != '<')
        return false;
    constexpr std::size_t longest = 200;
    std::string_view value = text.substr(begin, longest);
    value = value.substr(0, value.find_first_of(quote == '"' ? "\"\n" : quote == 0 ? "\n" : "'\n"));
    const std::string_view word = value.substr(0, value.find_first_of(valueEnds));
    return value.find('>') != std::string_view::npos // also inside: "<Foo object at 0x7f...>.value"
        || std::ranges::none_of(word, isDigit);
}

/// The unquoted value after the sign at `at`; empty: it was blanked before.
std::string_view valueAfter(std::string_view text, std::size_t at)
{
    const auto [begin, quote, escapes] = valueStart(text, at);
    std::size_t end = begin;
    if (escapes > 0) { // as escaped at its end as at its beginning
        for (std::size_t run = 0; end < text.size() && (text[end] != quote || run != escapes); ++end)
            run = text[end] == '\\' ? run + 1 : 0;
        return text.substr(begin, end == text.size() ? end : end - escapes - begin);
    }
    if (isBlankedAt(text, begin, quote))
        return text.substr(begin, 0);
    const std::string_view ends = quote != 0 ? std::string_view(&quote, 1) : valueEnds;
    while (end < text.size() && ends.find(text[end]) == std::string_view::npos)
        end += quote != 0 && text[end] == '\\' ? 2 : 1;
    return text.substr(begin, end - begin);
}

/// The end of `value`, a place in `text`.
std::size_t endIn(std::string_view text, std::string_view value)
{
    return static_cast<std::size_t>(value.data() - text.data()) + value.size();
}

/// The value that begins at `begin` in an address within an address: "%26" is '&' there, "%3C" is '<'. Empty:
/// it was blanked before.
std::string_view encodedValue(std::string_view text, std::size_t begin)
{
    constexpr std::size_t longest = 200;
    std::string_view first = text.substr(begin, longest);
    first = first.substr(0, first.find("%26"));
    if (isBlankedAt(first, 0, 0) || first.starts_with("%3C") || first.starts_with("%3c"))
        return {};
    std::size_t end = begin;
    while (end < text.size() && valueEnds.find(text[end]) == std::string_view::npos
        && text.substr(end, 3) != "%26")
        ++end;
    return text.substr(begin, end - begin);
}

/// Whether `value`, a place in `text` behind a plain "token", is a number, as in "token=1234.5", or words
/// that a text has behind a colon: "token: prefill", "token: step_12".
bool isOfWords(std::string_view text, std::string_view value)
{
    constexpr std::size_t longestWord = 15;
    constexpr std::size_t longest = 200;
    const std::size_t begin = endIn(text, value) - value.size();
    const std::size_t sign = text.substr(0, begin).find_last_not_of(' ');
    const bool isTold = sign + 1 < begin && text[sign] == ':';
    std::size_t word = 0;
    std::size_t turns = 0; // from digits to letters, or back: few in words, as in "step12" and "1024us"
    const bool hasRandom = std::ranges::any_of(value, [&, before = false](char c) mutable {
        constexpr std::size_t shortestRandom = 7; // "128x64" is short
        word = isNameLetter(c) && c != '_' ? word + 1 : 0;
        turns = word < 2 ? 0 : turns + (isDigit(c) != before ? 1 : 0);
        before = isDigit(c);
        return word > longestWord || (turns > 1 && word >= shortestRandom);
    });
    const auto first = std::ranges::find_if(value, isNameLetter);
    const bool isNumber = first != value.end() && isDigit(*first);
    return (isTold || isNumber) && !hasRandom && value.size() <= longest;
}

/// Whether `value` behind `name`, places in `text`, is no short word or number, nor the first number of a
/// list.
bool mayBeCredential(std::string_view text, std::string_view name, std::string_view value)
{
    constexpr std::size_t shortest = 6;
    const std::string_view word = value.substr(std::min(value.find_first_not_of("[({"), value.size()));
    return value.size() >= shortest && !isSmallNumber(word)
        && !(isPlainToken(name) && isOfWords(text, value));
}

/// Whether a list of credentials behind `name` may begin with `bracket`; "tokens={...}" counts or describes
/// them.
bool beginsList(std::string_view name, char bracket)
{
    return bracket == '[' || bracket == '(' || (bracket == '{' && !isPlainToken(name));
}

void addCredentials(std::string_view text, std::size_t depth, std::vector<std::string_view>& values);

/// Adds the credentials of the list behind `name` whose bracket is at `at` to `values`: its texts in quotes,
/// without blanks, and those of lists in it and in other texts of it. Returns where they end, at the latest
/// behind the first key.
std::size_t addListed(std::string_view text, std::string_view name, std::size_t at, std::size_t depth,
    std::vector<std::string_view>& values)
{
    constexpr std::string_view closing("])}");
    constexpr std::string_view between(", \t\r\n"); // each may have its line
    std::size_t open = 0;
    bool isKey = false; // what was read last
    while (at < text.size() && !isKey) {
        const bool begins = beginsList(name, text[at]);
        const bool ends = closing.find(text[at]) != std::string_view::npos;
        open += begins ? 1 : 0;
        if (ends && --open == 0)
            break;
        if (begins || ends || between.find(text[at]) != std::string_view::npos) {
            ++at;
            continue;
        }
        if (valueStart(text, at - 1).quote == 0)
            break; // it may have a name
        const std::string_view value = valueAfter(text, at - 1);
        at = std::min(text.find_first_not_of(" \"'\\*", endIn(text, value)), text.size());
        isKey = at < text.size() && text[at] == ':';
        if (!isKey && mayBeCredential(text, name, value) && value.find(' ') == std::string_view::npos)
            values.push_back(value);
        else
            addCredentials(value, depth + 1, values);
    }
    return at;
}

/// What is behind the scheme of "Authorization: Bearer token", which begins at `start`; empty: no scheme.
/// Looks no further than it must: a text may be all headers.
std::string_view behindScheme(std::string_view text, std::size_t start)
{
    constexpr std::array<std::string_view, 5> schemes{"bearer", "basic", "token", "digest", "apikey"};
    constexpr std::size_t longest = 6;
    std::string_view first = text.substr(start, longest + 1);
    first = first.substr(0, first.find_first_of(valueEnds));
    if (std::ranges::none_of(schemes, [&](std::string_view scheme) {
            return first.size() == scheme.size() && containsWord(first, scheme);
        }))
        return {};
    const std::size_t begin = std::min(text.find_first_not_of(' ', start + first.size()), text.size());
    return text.substr(begin, std::min(text.find_first_of(valueEnds, begin), text.size()) - begin);
}

/// Where the list of credentials behind `name` and the sign at `at` begins; the end of `text`: it is none.
std::size_t listBehind(std::string_view text, std::string_view name, std::size_t at)
{
    const ValueStart start = valueStart(text, at);
    const bool isList = start.quote == 0 && start.begin < text.size() && beginsList(name, text[start.begin]);
    return isList ? start.begin : text.size();
}

/// The credential that begins at `begin`, below its name; empty: a line of its own, "token:\nTraceback".
/// Looks no further than it must.
std::string_view valueBelow(std::string_view text, std::size_t begin)
{
    std::size_t end = begin;
    while (end < text.size() && (isNameLetter(text[end]) || text[end] == '-' || text[end] == '+'))
        ++end;
    const std::string_view value = text.substr(begin, end - begin);
    const bool isWhole
        = end == text.size() || text[end] == '\r' || valueEnds.find(text[end]) != std::string_view::npos;
    return isWhole && isUnlikeWords(value) && std::ranges::any_of(value, isDigit) ? value
                                                                                  : std::string_view();
}

/// The value behind a name and the sign at `at`. May be empty.
std::string_view valueOf(std::string_view text, std::size_t at)
{
    if (text[at] == '%')
        return encodedValue(text, at + 3);
    const ValueStart start = valueStart(text, at);
    if (start.quote == 0) {
        if (const std::string_view value = behindScheme(text, start.begin); !value.empty())
            return isUnlikeWords(value) ? value : std::string_view();
    }
    const bool isBelow = text.substr(at, start.begin - at).find_first_of("\r\n") != std::string_view::npos;
    return isBelow ? valueBelow(text, start.begin) : valueAfter(text, at);
}

/// The value behind the sign at `at`, inside of a dictionary of credentials, if it looks like one.
std::string_view valueInDictionary(std::string_view text, std::size_t at)
{
    const ValueStart start = valueStart(text, at);
    const std::string_view value
        = start.quote != 0 && start.escapes == 0 ? valueAfter(text, at) : std::string_view();
    return isUnlikeWords(value) && value.find(' ') == std::string_view::npos ? value : std::string_view();
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

/// Whether `token` looks made by chance: it has capitals and others, and see TokenShape.
bool isRandom(std::string_view token, const TokenShape& shape)
{
    const auto has = [&](char first, char last) {
        return std::ranges::any_of(token, [&](char c) { return c >= first && c <= last; });
    };
    if (shape.inCapitals)
        return has('A', 'Z') && !has('a', 'z');
    if (!has('A', 'Z') || (!has('a', 'z') && !has('0', '9')))
        return false;
    std::size_t word = 0;
    std::size_t longest = 0;
    for (const char c : token) {
        word = shape.signs.find(c) == std::string_view::npos ? word + 1 : 0;
        longest = std::max(longest, word);
    }
    return shape.word == 0 || (has('0', '9') && longest >= shape.word);
}

/// The access token that begins at `at`, known by its shape; empty: none.
std::string_view tokenAt(std::string_view text, std::size_t at)
{
    const bool isEscape // in JSON, in addresses
        = (at > 1 && text[at - 2] == '\\'
              && std::string_view("nrt").find(text[at - 1]) != std::string_view::npos)
        || (at > 2 && isEncodedSign(text, at - 3));
    if (at > 0 && isNameLetter(text[at - 1]) && !isEscape)
        return {};
    const std::string_view rest = text.substr(at);
    const auto shape = std::ranges::find_if(tokenShapes, [&](const TokenShape& each) {
        return rest.size() > 1 && rest[1] == each.begin[1] && rest.starts_with(each.begin); // most end there
    });
    if (shape == tokenShapes.end()
        || (at > 0 && !shape->signs.empty()
            && std::string_view("-.").find(text[at - 1]) != std::string_view::npos))
        return {}; // or inside of a longer one
    std::string_view token = rest.substr(shape->begin.size(), shape->most);
    const auto end = std::ranges::find_if(token, [&](char c) {
        return (!isNameLetter(c) || c == '_') && shape->signs.find(c) == std::string_view::npos;
    });
    token = token.substr(0, static_cast<std::size_t>(end - token.begin()));
    const std::size_t size = shape->begin.size() + token.size();
    const bool endsWord = size == rest.size() || !isNameLetter(rest[size]);
    return endsWord && token.size() >= shape->least && isRandom(token, *shape) ? rest.substr(0, size)
                                                                               : std::string_view();
}

/// Adds the credentials of `text` to `values`. `depth`: in how many lists it is a text.
void addCredentials(std::string_view text, std::size_t depth, std::vector<std::string_view>& values)
{
    constexpr std::size_t longestName = 64;
    constexpr std::size_t longestDictionary = 1000;
    constexpr std::size_t deepest = 4; // each text is read once per depth
    constexpr std::string_view header("authorization");
    std::size_t told = 0; // end of the last value, or of the last list
    std::size_t dictionary = 0; // end of the last one of credentials: any name in it may have one
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!mayBegin[static_cast<unsigned char>(text[at])]
            || at < told) // every string of a report passes here
            continue;
        std::string_view value = tokenAt(text, at);
        if (value.empty()) {
            if (!isEncodedSign(text, at) && ((text[at] != '=' && text[at] != ':') || !assignsAt(text, at)))
                continue;
            value = userOfAddress(text, at);
            if (value.empty() && text.substr(at, 3) == "://")
                continue; // the name is that of a scheme
        }
        if (value.empty()) {
            const std::string_view name = nameBefore(text, at);
            const bool isHeader = name.size() >= header.size()
                && containsWord(name.substr(name.size() - header.size()), header);
            const bool isNamed = name.size() <= longestName && (isHeader || looksSecret(name));
            if (!isNamed && at >= dictionary)
                continue;
            const std::size_t begin = isNamed && !isHeader ? listBehind(text, name, at) : text.size();
            if (begin < text.size() && text[begin] == '{' && begin >= dictionary) {
                const std::size_t size = text.substr(begin, longestDictionary).find('}');
                dictionary = size == std::string_view::npos ? 0 : begin + size;
            }
            if (begin < text.size() && depth < deepest) {
                const std::size_t before = values.size();
                told = addListed(text, name, begin, depth, values);
                if (values.size() > before)
                    continue;
            }
            value = !isNamed ? valueInDictionary(text, at)
                : isHeader   ? behindScheme(text, valueStart(text, at).begin)
                             : valueOf(text, at);
            if (!mayBeCredential(text, name, value))
                continue;
        }
        values.push_back(value);
        told = std::max(told, endIn(text, value));
    }
}

/// `text` without `values`, which are places in it, in their order.
std::string withHidden(std::string_view text, std::span<const std::string_view> values)
{
    std::string shown;
    std::size_t told = 0; // end of the part of `text` that is copied
    for (const std::string_view value : values) {
        const std::size_t end = endIn(text, value);
        shown += text.substr(told, end - value.size() - told);
        shown += hiddenValue;
        told = end;
    }
    return shown += text.substr(told);
}

/// withoutCredentials() of `text`; those are added to `hidden`.
void hideIn(std::string& text, std::vector<std::string>& hidden)
{
    const std::vector<std::string_view> values = credentialsIn(text);
    hidden.insert(hidden.end(), values.begin(), values.end());
    if (!values.empty())
        text = withHidden(text, values);
}

} // namespace

bool looksSecret(std::string_view name)
{
    std::string plain = lowered(name);
    std::ranges::replace(plain, '-', '_');
    const auto holds = [&](std::string_view word) { return containsWord(plain, word); };
    const auto ends = [&](std::string_view word) { return plain.ends_with(word); };
    if (std::ranges::any_of(places, ends))
        return false;
    for (const std::string_view word : harmlessWords) { // the rest may be secret: TOKENIZER_API_KEY
        for (std::size_t at = plain.find(word); at != std::string::npos; at = plain.find(word, at))
            std::fill_n(plain.begin() + static_cast<std::ptrdiff_t>(at), word.size(), '.');
    }
    return std::ranges::any_of(secretWords, holds) || namesPersonalToken(plain);
}

bool isUnlikeWords(std::string_view value)
{
    constexpr std::size_t shortest = 6;
    constexpr std::size_t longestWord = 15;
    const auto digits = static_cast<std::size_t>(std::ranges::count_if(value, isDigit));
    return value.size() > longestWord || (value.size() >= shortest && digits > 0 && digits < value.size());
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

std::vector<std::string_view> credentialsIn(std::string_view text)
{
    std::vector<std::string_view> values;
    addCredentials(text, 0, values);
    return values;
}

std::optional<std::string> withoutCredentials(std::string_view text)
{
    const std::vector<std::string_view> values = credentialsIn(text);
    return values.empty() ? std::nullopt : std::optional(withHidden(text, values));
}

std::vector<std::string> hideCredentials(std::vector<std::string*>& arguments)
{
    std::vector<std::string> hidden;
    std::string secret; // the option before, which wants a value
    for (std::string* const argument : arguments) {
        const std::string option = std::exchange(secret, {});
        if (!option.empty() && !argument->empty() && argument->front() != '-') {
            if (!isCount(option, *argument))
                hidden.push_back(std::exchange(*argument, std::string(hiddenValue)));
            continue;
        }
        const std::size_t sign = argument->find('=');
        const std::string name = argument->substr(0, sign);
        if (looksSecret(name)) {
            if (sign == std::string::npos)
                secret = name.starts_with('-') ? name : std::string();
            else if (sign + 1 < argument->size() && !isCount(name, argument->substr(sign + 1))) {
                hidden.push_back(argument->substr(sign + 1));
                argument->replace(sign + 1, std::string::npos, hiddenValue);
            }
        }
        hideIn(*argument, hidden); // users of addresses
    }
    return hidden;
}

bool holdsVariables(std::string_view fact)
{
    return containsWord(fact, "environment");
}

std::vector<std::string> hideSecrets(std::vector<std::pair<std::string, std::string>>& facts)
{
    std::vector<std::string> hidden;
    std::map<std::string, std::multimap<std::uint32_t, std::string*>> programs; // arguments in their order
    for (auto& [name, value] : facts) {
        constexpr std::string_view key = "ARGUMENT_";
        const std::size_t at = name.rfind(key);
        std::uint32_t number = 0;
        if (holdsVariables(name)) {
            for (const std::string_view credential : credentialsIn(value))
                hidden.emplace_back(credential);
            value = namesOfVariables(value);
        } else if (at != std::string::npos
            && std::from_chars(name.data() + at + key.size(), name.data() + name.size(), number).ec
                == std::errc())
            programs[name.substr(0, at)].emplace(number, &value);
        else
            hideIn(value, hidden);
    }
    for (const auto& [program, numbered] : programs) {
        std::vector<std::string*> arguments;
        for (const auto& [number, argument] : numbered)
            arguments.push_back(argument);
        for (std::string& credential : hideCredentials(arguments))
            hidden.push_back(std::move(credential));
    }
    return hidden;
}

} // namespace warpline
