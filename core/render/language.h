#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace warpline {

/// The text of a message in a language, by its key: see Message.
struct Translation {
    std::string_view key;
    std::string_view text;
};

/// A language that texts are made in.
struct Language {
    std::string_view key; ///< "en", as --language has it
    std::string_view title;
    std::span<const Translation>
        texts; ///< in order of their keys; of a message without one: the English text
    /// Which form of a plural `count` takes: "one", "few", "other" and so on, as Unicode's CLDR names them.
    std::string_view (*plural)(std::uint64_t count);
    std::string_view betweenSentences = " ";
    std::string_view betweenItems = ", ";
    /// Shows keys and values in place of sentences: what differs then in an answer is text, and nothing else.
    bool isPseudo = false;
};

/// All languages; the first is that of the sources. The list is in languages.cpp and nowhere else.
std::span<const Language* const> allLanguages();
const Language* findLanguage(std::string_view key);

/// The language that texts are made in: English, unless the program has chosen another one.
const Language& language();
/// Chooses it for the whole program: once, before the first text is made.
void setLanguage(const Language& language);

} // namespace warpline
