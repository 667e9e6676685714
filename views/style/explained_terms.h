#pragma once

#include <QString>

#include <string_view>

class QTextDocument;

namespace warpline {

/// What `term` means, as a tool tip: "occupancy: how many threads ...". Empty: the glossary does not have it.
QString explanationOf(std::string_view term);
/// The same for a text that consists of more, such as the title of a column: the first term in it that the
/// glossary has.
QString explanationIn(const QString& text);

/// Underlines each term of the glossary with dots where `document` uses it first, and explains it there to
/// the mouse. Links stay as they are.
void explainTerms(QTextDocument& document);

/// All terms with what they mean, as rich text; only those that hold `asked`, where it is not empty.
QString glossaryHtml(const QString& asked = {});

} // namespace warpline
