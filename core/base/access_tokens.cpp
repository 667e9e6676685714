#include "core/base/access_tokens.h"

#include "core/base/ascii_case.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

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
static_assert(std::ranges::all_of(tokenShapes, [](const TokenShape& shape) {
    return accessTokenLetters.find(shape.begin[0]) != std::string_view::npos;
}));

/// Whether a word begins at `at`, also behind an escape of JSON ("\n") or of an address ("%3D").
bool beginsWord(std::string_view text, std::size_t at)
{
    return at == 0 || !isIdentifierPart(text[at - 1]) || (at > 2 && isLowered(text.substr(at - 3, 3), "%3d"))
        || (at > 1 && text[at - 2] == '\\'
            && std::string_view("nrt").find(text[at - 1]) != std::string_view::npos);
}

/// Whether `token` looks made by chance: it has capitals and others, and see TokenShape.
bool isRandom(std::string_view token, const TokenShape& shape)
{
    const bool hasSmall = std::ranges::any_of(token, [](char c) { return c >= 'a' && c <= 'z'; });
    const bool hasDigits = std::ranges::any_of(token, isDigit);
    if (std::ranges::none_of(token, [](char c) { return c >= 'A' && c <= 'Z'; })
        || (shape.inCapitals ? hasSmall : !hasSmall && !hasDigits))
        return false;
    std::size_t word = 0;
    const bool hasWord = std::ranges::any_of(token, [&](char c) {
        word = shape.signs.find(c) == std::string_view::npos ? word + 1 : 0;
        return word >= shape.word;
    });
    return hasWord && (hasDigits || shape.word == 0);
}

} // namespace

std::string_view accessTokenAt(std::string_view text, std::size_t at)
{
    if (!beginsWord(text, at))
        return {};
    const std::string_view rest = text.substr(at);
    const auto shape = std::ranges::find_if(tokenShapes, [&](const TokenShape& each) {
        return rest.size() > 1 && rest[1] == each.begin[1] && rest.starts_with(each.begin); // most end there
    });
    if (shape == tokenShapes.end()
        || (at > 0 && !shape->signs.empty() && (text[at - 1] == '-' || text[at - 1] == '.')))
        return {}; // or inside of a longer one
    const std::string_view most = rest.substr(shape->begin.size(), shape->most);
    const auto end = std::ranges::find_if(most, [&](char c) {
        return (!isIdentifierPart(c) || c == '_') && shape->signs.find(c) == std::string_view::npos;
    });
    const std::string_view token(most.begin(), end);
    const std::size_t size = shape->begin.size() + token.size();
    const bool endsWord = size == rest.size() || !isIdentifierPart(rest[size]);
    const bool isToken = endsWord && token.size() >= shape->least && isRandom(token, *shape);
    return rest.substr(0, isToken ? size : 0);
}

} // namespace warpline
