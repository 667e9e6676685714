#include "core/render/language.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace warpline {

namespace {

std::string_view oneOrOther(std::uint64_t count)
{
    return count == 1 ? "one" : "other";
}

constexpr Language english{.key = "en", .title = "English", .texts = {}, .plural = oneOrOther};
constexpr Language pseudo{.key = "pseudo",
    .title = "Keys and values",
    .texts = {},
    .plural = oneOrOther,
    .betweenSentences = "",
    .betweenItems = "",
    .isPseudo = true};

// One line a language.
constexpr std::array<const Language*, 2> languages{&english, &pseudo};

std::atomic<const Language*>& chosen()
{
    static constinit std::atomic<const Language*> language{&english};
    return language;
}

} // namespace

std::span<const Language* const> allLanguages()
{
    return languages;
}

const Language* findLanguage(std::string_view key)
{
    const auto found = std::ranges::find(languages, key, &Language::key);
    return found != languages.end() ? *found : nullptr;
}

const Language& language()
{
    return *chosen();
}

void setLanguage(const Language& language)
{
    chosen() = &language;
}

} // namespace warpline
