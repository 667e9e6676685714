#include "views/style/explained_terms.h"

#include "core/glossary/glossary.h"
#include "core/render/render.h"
#include "views/style/rich_text.h"

#include <QFontMetricsF>
#include <QPointer>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextDocument>

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

namespace warpline {

namespace {

QString tipOf(const GlossaryEntry& entry)
{
    // Rich text, so that Qt breaks the line.
    return "<qt>" + titledText("<b>" + htmlOf(plain(entry.name())) + "</b>", richTextOf(entry.meaning()))
        + "</qt>";
}

/// The names of terms in the window's language: see termsIn().
TermNames namesOfTerms()
{
    TermNames names;
    for (const GlossaryEntry& entry : glossary()) {
        std::string name = plain(entry.name());
        if (static_cast<unsigned char>(name.front()) >= 0x80)
            names.emplace_back(std::move(name), &entry);
    }
    std::ranges::stable_sort(names, std::greater{}, [](const auto& each) { return each.first.size(); });
    return names;
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

/// Gives all lines with tabs the same columns, each as wide as its longest text.
void alignColumns(QTextDocument& document)
{
    constexpr double gap = 14;
    const QFontMetricsF metrics(document.defaultFont());
    std::vector<double> widths;
    std::vector<QTextBlock> lines;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        const QStringList cells = block.text().split('\t');
        if (cells.size() < 2)
            continue;
        lines.push_back(block);
        widths.resize(std::max(widths.size(), static_cast<std::size_t>(cells.size())), 0);
        for (qsizetype i = 0; i < cells.size(); ++i) {
            double& width = widths[static_cast<std::size_t>(i)];
            width = std::max(width, metrics.horizontalAdvance(cells[i]));
        }
    }
    QList<QTextOption::Tab> tabs;
    double left = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        if (i == 1)
            tabs << QTextOption::Tab(left + widths[i], QTextOption::RightTab);
        else if (i > 1)
            tabs << QTextOption::Tab(left, QTextOption::LeftTab);
        left += widths[i] + gap;
    }
    for (const QTextBlock& line : lines) {
        QTextCursor cursor(line);
        QTextBlockFormat format = line.blockFormat();
        format.setTabPositions(tabs);
        cursor.setBlockFormat(format);
    }
}

/// Gives prose the height of line that it is read best with; tables and lists stay close.
void openUpProse(QTextDocument& document)
{
    constexpr int percent = 135;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        QTextCursor cursor(block);
        if (block.text().contains('\t') || cursor.currentTable())
            continue;
        QTextBlockFormat format;
        format.setLineHeight(percent, QTextBlockFormat::ProportionalHeight);
        cursor.mergeBlockFormat(format);
    }
}

} // namespace

QString explanationIn(const QString& text)
{
    const std::vector<TermUse> uses = termsIn(text.toStdString(), namesOfTerms());
    return uses.empty() ? QString() : tipOf(*uses.front().entry);
}

void explainTerms(QTextDocument& document)
{
    std::set<const GlossaryEntry*> done;
    const TermNames names = namesOfTerms();
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        const std::string text = block.text().toStdString();
        for (const TermUse& use : termsIn(text, names)) {
            if (done.contains(use.entry))
                continue;
            // Positions count UTF-16, terms bytes.
            const auto lengthOf = [&text](std::size_t from, std::size_t bytes) {
                return QString::fromUtf8(text.data() + from, static_cast<qsizetype>(bytes)).size();
            };
            if (explain(block, lengthOf(0, use.begin), lengthOf(use.begin, use.length), *use.entry))
                done.insert(use.entry);
        }
    }
}

void showExplained(QTextBrowser& browser, const QString& html)
{
    const QPointer<QTextDocument> before = browser.document(); // its first one the browser deletes
    auto* const document = new QTextDocument(&browser);
    document->setUndoRedoEnabled(false);
    document->setDefaultFont(before->defaultFont());
    document->setDefaultStyleSheet(before->defaultStyleSheet());
    document->setHtml(html);
    explainTerms(*document);
    alignColumns(*document);
    openUpProse(*document);
    constexpr double aroundText = 12;
    document->setDocumentMargin(aroundText);
    // A browser lays out its content once before it sets the width, once after, and again when the scroll bar
    // comes or goes: avoids the repetitions.
    const Qt::ScrollBarPolicy bar = browser.verticalScrollBarPolicy();
    const bool hasBar = browser.verticalScrollBar()->isVisibleTo(&browser);
    document->setLayoutEnabled(false);
    browser.setVerticalScrollBarPolicy(hasBar ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    browser.setDocument(document);
    document->setLayoutEnabled(true);
    browser.setVerticalScrollBarPolicy(bar);
    browser.verticalScrollBar()->setValue(0);
    delete before.data();
}

QString glossaryHtml(const QString& asked)
{
    const QString wanted = asked.trimmed();
    const auto holds
        = [&](std::string_view text) { return textOf(text).contains(wanted, Qt::CaseInsensitive); };
    QString html = "<table cellpadding=3>";
    for (const GlossaryEntry& entry : glossary()) {
        const std::string name = plain(entry.name());
        const std::string meaning = plain(entry.meaning());
        if (wanted.isEmpty() || holds(name) || holds(entry.term) || holds(entry.forms) || holds(meaning)) {
            // Reports and documents of others have the English term.
            const QString english
                = name == entry.term ? QString() : "<br>" + htmlOf(entry.term).replace(' ', "&nbsp;");
            html += "<tr><td style='padding-right:14px'><b>" + htmlOf(name).replace(' ', "&nbsp;") + "</b>"
                + english + "</td><td>" + htmlOf(meaning) + "</td></tr>";
        }
    }
    return html + "</table>";
}

} // namespace warpline
