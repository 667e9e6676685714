#include "core/base/platform/platform.h"
#include "core/render/language.h"

#include "core/base/list.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>

namespace warpline {

namespace {

std::string_view oneOrOther(std::uint64_t count)
{
    return count == 1 ? "one" : "other";
}

} // namespace

extern constinit const Language englishLanguage{
    .key = "en", .title = "English", .texts = {}, .plural = oneOrOther};
extern constinit const Language pseudoLanguage{.key = "pseudo",
    .title = "Keys and values",
    .texts = {},
    .plural = oneOrOther,
    .betweenSentences = "",
    .betweenItems = "",
    .isPseudo = true};

// One line a language.
#define WARPLINE_LANGUAGES(X) \
    X(englishLanguage)        \
    X(pseudoLanguage)         \
    X(simplifiedChinese)

WARPLINE_LIST(Language, allLanguages, WARPLINE_LANGUAGES)

namespace {

std::atomic<const Language*>& chosen()
{
    static constinit std::atomic<const Language*> language{&englishLanguage};
    return language;
}

} // namespace

const Language* findLanguage(std::string_view key)
{
    const auto found = std::ranges::find(allLanguages(), key, &Language::key);
    return found != allLanguages().end() ? *found : nullptr;
}

const Language& languageOfLocale(std::string_view locale)
{
    std::string name(locale.substr(0, locale.find_first_of(".@")));
    std::ranges::replace(name, '-', '_');
    const auto isOf = [&name](std::string_view own) {
        return name == own || (own.find('_') != own.npos && name.starts_with(std::string(own) + '_'));
    };
    for (const Language* const each : allLanguages()) {
        if (std::ranges::any_of(each->locales, isOf))
            return *each;
    }
    return englishLanguage;
}

const Language& languageOfEnvironment()
{
    for (const char* const variable : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
        if (const char* const locale = std::getenv(variable); locale && *locale)
            return languageOfLocale(locale);
    }
    return languageOfLocale(platform::accountLocale());
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
