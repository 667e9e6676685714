#pragma once

#include <QString>

class QTextBrowser;
class QTextDocument;

namespace warpline {

/// The meaning of the first term in `text`, such as a column's title, as a tooltip: "occupancy: how many
/// threads ...". Empty: there is no term.
QString explanationIn(const QString& text);

/// Underlines each term of the glossary with dots where `document` uses it first, and explains it there to
/// the mouse. Links stay as they are.
void explainTerms(QTextDocument& document);

/// Shows `html` in `browser` with its terms explained. Lines with tabs become columns, the second
/// right-aligned, because a table takes four times as long to lay out. Lays out once, unlike setHtml()
/// followed by explainTerms().
void showExplained(QTextBrowser& browser, const QString& html);

/// All terms with their meaning, as rich text; only those that contain `asked`, unless it is empty.
QString glossaryHtml(const QString& asked = {});

} // namespace warpline
