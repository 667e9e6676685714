#include "views/style/explained_terms.h"

#include "core/glossary/glossary.h"
#include "views/style/rich_text.h"

#include <QObject>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>

#include <set>

namespace warpline {

namespace {

QString tipOf(const GlossaryEntry& entry)
{
    // Rich text, so that Qt breaks the line.
    return QString("<qt><b>%1</b>: %2</qt>").arg(htmlOf(entry.term), htmlOf(entry.text));
}

/// Explains a term that stands at `begin` of `block`, unless it is a part of a link; false then.
bool explain(const QTextBlock& block, qsizetype begin, qsizetype length, const GlossaryEntry& entry)
{
    QTextCursor cursor(block);
    cursor.setPosition(block.position() + static_cast<int>(begin));
    cursor.setPosition(block.position() + static_cast<int>(begin + length), QTextCursor::KeepAnchor);
    if (cursor.charFormat().isAnchor())
        return false;
    QTextCharFormat format;
    format.setToolTip(tipOf(entry));
    format.setUnderlineStyle(QTextCharFormat::DotLine);
    cursor.mergeCharFormat(format);
    return true;
}

} // namespace

QString explanationOf(std::string_view term)
{
    const GlossaryEntry* const entry = findTerm(term);
    return entry ? tipOf(*entry) : QString();
}

QString explanationIn(const QString& text)
{
    const std::vector<TermUse> uses = termsIn(text.toStdString());
    return uses.empty() ? QString() : tipOf(*uses.front().entry);
}

void explainTerms(QTextDocument& document)
{
    std::set<const GlossaryEntry*> done;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        const std::string text = block.text().toStdString();
        for (const TermUse& use : termsIn(text)) {
            if (done.contains(use.entry))
                continue;
            // Positions count UTF-16, terms bytes.
            const qsizetype begin = QString::fromUtf8(text.data(), static_cast<qsizetype>(use.begin)).size();
            if (explain(block, begin, static_cast<qsizetype>(use.length), *use.entry))
                done.insert(use.entry);
        }
    }
}

QString glossaryHtml(const QString& asked)
{
    const QString wanted = asked.trimmed();
    const auto holds
        = [&](std::string_view text) { return textOf(text).contains(wanted, Qt::CaseInsensitive); };
    QString html = "<table cellpadding=3>";
    for (const GlossaryEntry& entry : glossary()) {
        if (wanted.isEmpty() || holds(entry.term) || holds(entry.forms) || holds(entry.text))
            html += "<tr><td style='padding-right:14px'><b>" + htmlOf(entry.term).replace(' ', "&nbsp;")
                + "</b></td><td>" + textOf(entry.text).toHtmlEscaped() + "</td></tr>";
    }
    return html + "</table>";
}

} // namespace warpline
