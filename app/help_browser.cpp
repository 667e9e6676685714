#include "app/help_browser.h"

#include "core/across/across_rule.h"
#include "core/render/language.h"
#include "core/rows/row_tree.h"
#include "core/store/range_words.h"
#include "views/panels/findings_panel.h"
#include "views/panels/panel.h"
#include "views/panels/table_list.h"
#include "views/panels/tables_panel.h"
#include "views/session/session.h"
#include "views/style/rich_text.h"

#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QPushButton>
#include <QRegularExpression>
#include <QScreen>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace warpline {

namespace {

const QString helpFolder = QStringLiteral(":/pages/");

/// The anchor of a heading, as Git hosts make it.
QString anchorOf(QString heading)
{
    static const QRegularExpression dropped("[^\\w\\- ]", QRegularExpression::UseUnicodePropertiesOption);
    return heading.toLower().remove(dropped).replace(' ', '-');
}

/// "docs/compare.md" of "qrc:/pages/docs/compare.md".
QString pageOf(const QUrl& url)
{
    return QDir::cleanPath(url.path()).section("/pages/", 1);
}

} // namespace

HelpBrowser::HelpBrowser(QWidget* parent)
    : QDialog(parent),
      m_text(new QTextBrowser(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Documentation"));
    resize(QSize(900, 720).boundedTo(screen()->availableSize() * 0.9)); // with its title bar
    m_text->setObjectName("help");
    m_text->setOpenLinks(false);
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    QPushButton* const back = buttons->addButton(tr("Back"), QDialogButtonBox::ActionRole);
    QPushButton* const forward = buttons->addButton(tr("Forward"), QDialogButtonBox::ActionRole);
    QPushButton* const contents = buttons->addButton(tr("Contents"), QDialogButtonBox::ActionRole);
    for (QPushButton* const button : {back, forward, contents})
        button->setAutoDefault(false);
    back->setEnabled(false);
    forward->setEnabled(false);
    connect(m_text, &QTextBrowser::backwardAvailable, back, &QPushButton::setEnabled);
    connect(m_text, &QTextBrowser::forwardAvailable, forward, &QPushButton::setEnabled);
    connect(back, &QPushButton::clicked, m_text, &QTextBrowser::backward);
    connect(forward, &QPushButton::clicked, m_text, &QTextBrowser::forward);
    connect(contents, &QPushButton::clicked, this, [this] { open(inLanguage("docs/README.md")); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_text, &QTextBrowser::anchorClicked, this, &HelpBrowser::follow);
    auto* const layout = new QVBoxLayout(this);
    layout->addWidget(m_text, 1);
    layout->addWidget(buttons);
}

QString HelpBrowser::inLanguage(const QString& page)
{
    const std::string_view key = language().key;
    const QString folder
        = QString::fromUtf8(key.data(), static_cast<qsizetype>(key.size())).replace('_', '-');
    const QString own
        = page.section('/', 0, -2) + '/' + folder + '/' + page.section('/', -1).section('#', 0, 0);
    return QFile::exists(helpFolder + own) ? own : page; // its headings have other names
}

void HelpBrowser::open(const QString& page, const QString& text)
{
    const QString heading = page.section('#', 1);
    QUrl url("qrc" + helpFolder + page.section('#', 0, 0));
    url.setFragment(heading);
    m_text->setSource(url, QTextDocument::MarkdownResource);
    if (!heading.isEmpty())
        scrollTo(heading);
    if (text.isEmpty())
        return;
    const QTextDocument& document = *m_text->document();
    const auto next = [&](const QTextCursor& from) {
        return document.find(text, from, QTextDocument::FindCaseSensitively | QTextDocument::FindWholeWords);
    };
    QTextCursor found = next(QTextCursor(m_text->document()));
    for (QTextCursor at = found; !at.isNull(); at = next(at)) {
        if (at.charFormat().fontWeight() < QFont::Bold)
            continue;
        found = at;
        break;
    }
    if (found.isNull())
        return;
    m_text->setTextCursor(found);
    m_text->ensureCursorVisible();
}

QString HelpBrowser::page() const
{
    return pageOf(m_text->source());
}

void HelpBrowser::follow(const QUrl& link)
{
    const QUrl target = m_text->source().resolved(link);
    if (target.scheme() != "qrc") {
        QDesktopServices::openUrl(target);
        return;
    }
    QString page = pageOf(target);
    if (page.startsWith("resources/reading/")) {
        emit readingAsked();
        return;
    }
    if (!QFile::exists(helpFolder + page)) // a folder, or a file of the source tree
        return;
    if (target.hasFragment())
        page += '#' + target.fragment();
    open(page);
}

void HelpBrowser::scrollTo(const QString& heading)
{
    for (QTextBlock block = m_text->document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0 || anchorOf(block.text()) != heading)
            continue;
        m_text->setTextCursor(QTextCursor(block));
        QAbstractTextDocumentLayout& layout = *m_text->document()->documentLayout();
        layout.documentSize(); // a long page is laid out bit by bit: the bar would end before the heading
        m_text->verticalScrollBar()->setValue(static_cast<int>(layout.blockBoundingRect(block).top()));
        return;
    }
}

namespace {

const QString rowsPage = QStringLiteral("docs/manual/rows.md");

HelpPlace helpPlaceOf(const Row& row)
{
    if (row.counter != noIndex)
        return {rowsPage, HelpBrowser::tr("Counter")};
    if (row.tracks.empty())
        return {rowsPage, HelpBrowser::tr("Group")};
    const EventKind kind = row.tracks.front().kind;
    const bool isMixed
        = std::ranges::any_of(row.tracks, [&](const TrackRef& track) { return track.kind != kind; });
    return {rowsPage, isMixed ? HelpBrowser::tr("GPU work") : plainTextOf(kindText(kind))};
}

const PanelKind* panelAround(const QWidget* at)
{
    for (; at; at = at->parentWidget()) {
        for (const PanelKind* const kind : allPanels()) {
            if (qobject_cast<const QDockWidget*>(at) && at->objectName() == kind->id)
                return kind;
        }
    }
    return nullptr;
}

} // namespace

HelpPlace helpPlaceOfRule(const QString& id)
{
    const Rule* const rule = findNamedRule(id.toStdString());
    const QString heading = rule ? textOf(rule->title) + " (" + id + ')' : QString();
    return {"core/findings/rules/README.md#" + anchorOf(heading), {}};
}

HelpPlace helpPlaceOf(const ActionContext& at)
{
    const bool isMenu = !at.window->isWindow(); // a part of the window, not its menu bar
    const QWidget* const from = isMenu ? at.window : QApplication::focusWidget();
    const PanelKind* const kind = panelAround(from);
    const QByteArrayView id = kind ? kind->id : "";
    const QWidget* window = at.window;
    while (window->parentWidget())
        window = window->parentWidget();
    if (const auto* const findings = window->findChild<FindingsPanel*>();
        findings && id == "findings" && !findings->chosenId().isEmpty())
        return helpPlaceOfRule(findings->chosenId().section('/', 0, 0));
    if (auto* const tables = window->findChild<TablesPanel*>();
        tables && id == "tables" && !tables->list().chosenId().isEmpty())
        return {"core/stats/README.md", tables->list().chosenId()};
    const EventId event = id == "details" ? at.session.selection().currentEvent() : at.event;
    if (event.valid() && (!kind || isMenu || id == "details"))
        return {rowsPage, plainTextOf(kindText(event.event.kind))};
    if (kind)
        return {"docs/manual/panels.md", QCoreApplication::translate("Action", kind->title)};
    if (at.row != RowTree::root)
        return helpPlaceOf(at.session.rows().row(at.row));
    return {rowsPage, {}};
}

} // namespace warpline
