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

/// A word that differs in the report of a program that uses HIP.
struct WordOfHip {
    std::string_view cuda;
    std::string_view hip;
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
    /// Locales of the language, without encoding: "zh_CN". Each also covers those that begin with it and "_",
    /// unless it is only a language.
    std::span<const std::string_view> locales{};
    /// Font families with familiar letters for its readers, per system. Available ones precede the desktop's
    /// font when the desktop has another language. Empty: any font.
    std::span<const std::string_view> fonts{};
    /// Replaced before the common ones: see hip_words.h.
    std::span<const WordOfHip> wordsOfHip{};
    /// Chinese: a space parts Chinese from Latin letters and digits only, so that between two Chinese parts
    /// of a sentence, or next to punctuation of full width, it is dropped.
    bool isUnspaced = false;
    /// Shows keys and values instead of sentences, to test that languages only differ in text.
    bool isPseudo = false;
};

/// All languages; the first is that of the sources. The list is in languages.cpp and nowhere else.
std::span<const Language* const> allLanguages();
const Language* findLanguage(std::string_view key);
/// The language of a locale such as "zh_CN.UTF-8" or "zh-Hans-CN"; English by default.
const Language& languageOfLocale(std::string_view locale);
/// The language of the first of LC_ALL, LC_MESSAGES and LANG that is set, else of the account's locale.
const Language& languageOfEnvironment();

/// The language that texts are made in: English, unless the program has chosen another one.
const Language& language();
/// Chooses it for the whole program: once, before the first text is made.
void setLanguage(const Language& language);

} // namespace warpline
