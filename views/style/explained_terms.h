#pragma once

#include <QString>

class QTextBrowser;
class QTextDocument;

namespace warpline {

/// What the first term in `text`, such as the title of a column, means, as a tool tip: "occupancy: how many
/// threads ...". Empty: the glossary has none of it.
QString explanationIn(const QString& text);

/// Underlines each term of the glossary with dots where `document` uses it first, and explains it there to
/// the mouse. Links stay as they are.
void explainTerms(QTextDocument& document);

/// Shows `html` in `browser` with its terms explained. Lines of it that have tabs become columns, the second
/// flush right: a table takes four times as long to be laid out. It is laid out once; setHtml() and
/// explainTerms() after one another do that again and again.
void showExplained(QTextBrowser& browser, const QString& html);

/// All terms with what they mean, as rich text; only those that hold `asked`, where it is not empty.
QString glossaryHtml(const QString& asked = {});

} // namespace warpline
