#pragma once

#include <QString>

namespace warpline {

struct Language;

/// The language of the window: for this run, else of the settings, else of the user's locale. The catalogue
/// of the texts of tr() is `:/languages/warpline_KEY.qm`, made of resources/languages, that of core's
/// messages is core's own.
const Language& chosenLanguage();

/// The key of the language that is asked for, for this run or by the settings; empty: that of the locale.
QString wantedLanguage();
/// Puts `key` into the settings. It replaces what was asked for this run: who chooses in the window chooses last.
void storeLanguage(const QString& key);

/// Takes the language `key` for this run instead; empty: none. Nothing is stored.
void chooseLanguageForThisRun(const QString& key);

/// Makes chosenLanguage() that of all texts made from now on. Widgets that are there keep theirs, so that a
/// window is made again. A text of tr() has one translation, whatever class it is in.
void applyLanguage();

} // namespace warpline
