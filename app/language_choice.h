#pragma once

#include <QString>

namespace warpline {

struct Language;

/// The language of the window: for this run, else of the settings, else of the user's locale. The catalogue
/// of tr() texts is `:/languages/warpline_KEY.qm`, made from resources/languages; core has its own for
/// messages.
const Language& chosenLanguage();

/// The key of the requested language, for this run or in the settings; empty: that of the locale.
QString wantedLanguage();
/// Stores `key` in the settings. Replaces the choice for this run, because a choice in the window is the
/// latest.
void storeLanguage(const QString& key);

/// Takes the language `key` for this run instead; empty: none. Nothing is stored.
void chooseLanguageForThisRun(const QString& key);

/// Makes chosenLanguage() the language of all texts created from now on. Existing widgets keep theirs, so the
/// window is recreated. A tr() text has one translation for all classes.
void applyLanguage();

} // namespace warpline
