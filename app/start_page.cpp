#include "app/start_page.h"

#include <QCoreApplication>
#include <QEvent>
#include <QFileInfo>
#include <QSettings>
#include <QUrl>

namespace warpline {

namespace {

QString linkTo(const QString& path, const QString& text)
{
    return "<a href='file:" + QString::fromLatin1(QUrl::toPercentEncoding(path, "/")) + "'>"
        + text.toHtmlEscaped() + "</a>";
}

QString firstPath(const QString& origin)
{
    return origin.split('\n').front();
}

/// A report that was open, or several that were open together.
QString recentLine(const QString& origin, qsizetype place, bool isGone)
{
    const QString name = StartPage::recentName(origin).toHtmlEscaped();
    return "<tr><td>" + (isGone ? name : QString("<a href='recent:%1'>%2</a>").arg(place).arg(name))
        + "&nbsp;&nbsp;</td><td>"
        + (isGone ? StartPage::tr("not there any more") : QFileInfo(firstPath(origin)).path().toHtmlEscaped())
        + "</td></tr>";
}

QStringList notThere(QStringList origins)
{
    erase_if(origins, [](const QString& origin) { return QFileInfo::exists(firstPath(origin)); });
    return origins;
}

} // namespace

QString StartPage::recentName(const QString& origin)
{
    const QStringList paths = origin.split('\n');
    const QString first = QFileInfo(paths.front()).fileName();
    if (paths.size() == 1)
        return first;
    // Sets of one folder often begin with the same file: the last one tells them apart.
    const QString last = QFileInfo(paths.back()).fileName();
    return last == first ? tr("%1 of %2 folders").arg(first).arg(paths.size())
                         : tr("%1 to %2 (%3 reports)").arg(first, last).arg(paths.size());
}

StartPage::StartPage(QWidget* parent)
    : QTextBrowser(parent)
{
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    setAcceptDrops(false); // the window takes what is dropped
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        if (url.toString() == "open:")
            emit openWanted();
        else
            follow(url.toString());
    });
}

QString StartPage::samplePath()
{
    const QString program = QCoreApplication::applicationDirPath();
    for (const char* const place :
        {"/../share/warpline/sample.sqlite", "/../../../resources/sample.sqlite"}) {
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
    m_recent = QSettings().value("recent").toStringList();
    write();
    m_looking.start([recent = m_recent](const std::stop_token&) { return notThere(recent); },
        [this](const QStringList& gone) {
            if (m_gone == gone)
                return;
            m_gone = gone;
            write();
        });
}

void StartPage::write()
{
    QString html = "<h1>Warpline</h1><p>"
        + tr("Timeline viewer and analyzer for Nsight Systems reports that were exported to SQLite, and for "
             "traces of torch.profiler.")
        + "</p><p>"
        + tr("%1 or drop one here, several or a folder.")
              .arg("<big><a href='open:'>" + tr("Open reports").toHtmlEscaped() + "</a></big>");
    const QString sample = samplePath();
    if (!sample.isEmpty())
        html += " " + tr("New here? %1").arg(linkTo(sample, tr("Open the sample.")));
    html += "</p><h3>" + tr("How to get one") + "</h3><table cellpadding=3><tr><td>" + tr("Record")
        + "</td><td><code>"
        + "nsys profile --trace=cuda,nvtx,osrt --output=report ./program</code></td></tr><tr><td>"
        + tr("Export") + "</td><td><code>nsys export --type sqlite report.nsys-rep</code></td></tr><tr><td>"
        + tr("Or in PyTorch")
        + "</td><td><code>with torch.profiler.profile() as p: \u2026; "
          "p.export_chrome_trace(\"trace.json.gz\")</code></td></tr></table>";
    if (!m_recent.isEmpty()) {
        html += "<h3>" + tr("Recent") + "</h3><table cellpadding=3>";
        for (qsizetype i = 0; i < m_recent.size(); ++i)
            html += recentLine(m_recent[i], i, m_gone.contains(m_recent[i]));
        html += "</table>";
    }
    setHtml(html);
    constexpr double margin = 40;
    document()->setDocumentMargin(margin);
}

void StartPage::follow(const QString& link)
{
    if (!link.startsWith("recent:")) {
        emit filesWanted({link.mid(5)});
        return;
    }
    const qsizetype place = link.mid(7).toLongLong();
    if (place >= 0 && place < m_recent.size())
        emit filesWanted(m_recent[place].split('\n'));
}

void StartPage::showEvent(QShowEvent* event)
{
    QTextBrowser::showEvent(event);
    fill();
}

void StartPage::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        fill(); // links keep the colour they were made with
}

} // namespace warpline
