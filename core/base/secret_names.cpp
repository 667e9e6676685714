#include "core/base/ascii_case.h"
#include "core/base/secrets.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

constexpr std::array<std::string_view, 19> secretWords{"token", "secret", "passw", "passphrase", "api_key",
    "apikey", "access_key", "accesskey", "account_key", "accountkey", "private_key", "privatekey",
    "credential", "auth_key", "session_key", "sessionkey", "license_key", "sql_pwd", "db_pwd"};
constexpr std::array<std::string_view, 5> harmlessWords{
    "tokenizer", "token_type", "max_token", "num_token", "max_new_token"};
// Suffixes of names that hold a location, not a secret: HF_TOKEN_PATH, PASSWD_FILE.
constexpr std::array<std::string_view, 5> places{"_path", "_paths", "_file", "_dir", "_home"};

} // namespace

bool looksSecret(std::string_view name)
{
    std::string plain = lowered(name);
    for (char& c : plain)
        c = c == '-' ? '_' : isIdentifierPart(c) ? c : '.';
    const auto holds = [&](std::string_view word) { return plain.find(word) != std::string::npos; };
    const auto ends = [&](std::string_view word) { return plain.ends_with(word); };
    if (std::ranges::any_of(places, ends))
        return false;
    for (const std::string_view word : harmlessWords) { // the rest may be secret: TOKENIZER_API_KEY
        for (std::size_t at = plain.find(word); at != std::string::npos; at = plain.find(word, at))
            std::fill_n(plain.begin() + static_cast<std::ptrdiff_t>(at), word.size(), '.');
    }
    return std::ranges::any_of(secretWords, holds) || holds("_pat_") || holds("_pat.")
        || ends("_pat"); // GITHUB_PAT, not LD_LIBRARY_PATH
}

bool isUnlikeWords(std::string_view value)
{
    constexpr std::size_t shortest = 6;
    constexpr std::size_t longestWord = 15;
    const auto digits = static_cast<std::size_t>(std::ranges::count_if(value, isDigit));
    return value.size() > longestWord || (value.size() >= shortest && digits > 0 && digits < value.size());
}

bool isSmallNumber(std::string_view value)
{
    constexpr std::size_t maxDigits = 6;
    return !value.empty() && value.size() <= maxDigits && std::ranges::all_of(value, isDigit);
}

} // namespace warpline
