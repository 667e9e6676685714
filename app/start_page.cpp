#include "app/start_page.h"

#include "core/base/format.h"
#include "views/panels/empty_state.h"
#include "views/style/rich_text.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTextBrowser>
#include <QTextDocument>
#include <QUrl>
#include <QVBoxLayout>

namespace warpline {

namespace {

constexpr int pageWidth = 720;

} // namespace

StartPage::StartPage(QWidget* parent)
    : QWidget(parent),
      m_list(new QTextBrowser(this))
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto* const column = new QWidget(this);
    column->setMaximumWidth(pageWidth);
    column->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    auto* const title = new QLabel(QString("<h1>%1</h1><p>%2</p>")
                                       .arg("Warpline",
                                           tr("See where GPU time goes. Opens Nsight Systems exports "
                                              "(.sqlite) and PyTorch profiler traces.")),
        column);
    title->setWordWrap(true);
    QPushButton* const open = makeActionButton("file.open", tr("Open reports\u2026"), column);
    open->setDefault(true);
    auto* const buttons = new QHBoxLayout;
    buttons->addWidget(open);
    buttons->addWidget(makeActionButton("file.compare", tr("Compare two runs\u2026"), column));
    buttons->addWidget(makeActionButton("file.record", tr("Record a report\u2026"), column));
    if (!samplePath().isEmpty())
        buttons->addWidget(makeActionButton("file.sample", tr("Open the sample"), column));
    buttons->addStretch();
    constexpr int tall = 34;
    for (QPushButton* const button : column->findChildren<QPushButton*>())
        button->setFixedHeight(tall);
    auto* const hint = new QLabel(tr("Or drop files or a folder here."), column);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setOpenLinks(false);
    m_list->setAcceptDrops(false); // the window handles drops
    m_list->document()->setDocumentMargin(0);
    connect(m_list, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) { follow(url.toString()); });
    auto* const layout = new QVBoxLayout(column);
    layout->setSpacing(12);
    layout->addWidget(title);
    layout->addLayout(buttons);
    layout->addWidget(hint);
    layout->addWidget(m_list, 1);
    auto* const page = new QHBoxLayout(this);
    constexpr int above = 40;
    page->setContentsMargins(12, above, 12, 12);
    page->addStretch(1);
    page->addWidget(column, 100);
    page->addStretch(1);
}

QString StartPage::samplePath()
{
    const QString program = QCoreApplication::applicationDirPath();
    for (const char* const place : {"/../share/warpline/sample.sqlite", "/sample.sqlite",
             "/../Resources/sample.sqlite", "/../../../resources/sample.sqlite"}) {
        const QFileInfo sample(program + place);
        if (sample.exists())
            return sample.canonicalFilePath();
    }
    return {};
}

void StartPage::fill()
{
    if (!isVisible())
        return; // showEvent() does
    const QList<RecentFiles> recent = recentFiles();
    if (m_recent != recent)
        m_looked.clear();
    m_recent = recent;
    write();
    m_looking.start(
        [recent](const std::stop_token&) {
            QList<Looked> looked;
            for (const RecentFiles& files : recent) {
                const QFileInfo first(files.paths.value(0));
                looked << Looked{files.isThere(),
                    first.isFile()
                        ? tr("%1, %2").arg(QLocale().toString(first.lastModified(), QLocale::ShortFormat),
                            textOf(formatBytes(static_cast<std::uint64_t>(first.size()))))
                        : QString()};
            }
            return looked;
        },
        [this](const QList<Looked>& looked) {
            if (m_looked == looked)
                return;
            m_looked = looked;
            write();
        });
}

void StartPage::write()
{
    QString html;
    if (!m_recent.isEmpty())
        html = "<h3>" + tr("Recent") + "</h3><table cellpadding=3>";
    for (qsizetype i = 0; i < m_recent.size(); ++i) {
        const RecentFiles& files = m_recent[i];
        const Looked looked = m_looked.value(i, Looked{true, {}});
        const QString name = htmlOf(files.name().toStdString());
        html += "<tr><td>"
            + (looked.isThere ? QString("<a href='recent:%1' title='%2'>%3</a>")
                                    .arg(QString::number(i), files.details().toHtmlEscaped(), name)
                              : name)
            + "&nbsp;&nbsp;</td><td>"
            + (looked.isThere ? htmlOf(files.folder().toStdString()) : tr("File not found"))
            + "&nbsp;&nbsp;</td><td>" + looked.figures.toHtmlEscaped() + "</td></tr>";
    }
    m_list->setHtml(m_recent.isEmpty() ? QString() : html + "</table>");
}

void StartPage::follow(const QString& link)
{
    const qsizetype place = link.mid(7).toLongLong();
    if (place < 0 || place >= m_recent.size())
        return;
    const RecentFiles files = m_recent[place];
    if (files.isPair())
        emit pairWanted(files.paths, files.compared);
    else
        emit filesWanted(files.paths);
}

void StartPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    fill();
}

void StartPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        fill(); // links keep the colour they were made with
}

} // namespace warpline
