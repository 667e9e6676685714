#include "app/start_page.h"

#include <QCoreApplication>
#include <QEvent>
#include <QFileInfo>
#include <QUrl>

namespace warpline {

namespace {

QString linkTo(const QString& path, const QString& text)
{
    return "<a href='file:" + QString::fromLatin1(QUrl::toPercentEncoding(path, "/")) + "'>"
        + text.toHtmlEscaped() + "</a>";
}

/// A link that looks like a button.
QString buttonTo(const char* link, const QString& text, const QPalette& colors)
{
    return QString("<td style='background-color:%1; padding:7px 14px'><a href='%2' style='color:%3; "
                   "text-decoration:none'><big>%4</big></a></td>")
        .arg(colors.color(QPalette::Button).name(), link, colors.color(QPalette::Link).name(),
            text.toHtmlEscaped());
}

/// A report that was open, or several that were open together or compared.
QString recentLine(const RecentFiles& files, qsizetype place, bool isGone)
{
    const QString name = files.name().toHtmlEscaped();
    return "<tr><td>"
        + (isGone ? name
                  : QString("<a href='recent:%1' title='%2'>%3</a>")
                        .arg(QString::number(place), files.details().toHtmlEscaped(), name))
        + "&nbsp;&nbsp;</td><td>"
        + (isGone ? StartPage::tr("File not found") : files.folder().toHtmlEscaped()) + "</td></tr>";
}

QList<RecentFiles> notThere(QList<RecentFiles> recent)
{
    erase_if(recent, [](const RecentFiles& files) { return files.isThere(); });
    return recent;
}

} // namespace

StartPage::StartPage(QWidget* parent)
    : QTextBrowser(parent)
{
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    setAcceptDrops(false); // the window takes what is dropped
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        if (url.toString() == "open:")
            emit openWanted();
        else if (url.toString() == "compare:")
            emit compareWanted();
        else
            follow(url.toString());
    });
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
    m_recent = recentFiles();
    write();
    m_looking.start([recent = m_recent](const std::stop_token&) { return notThere(recent); },
        [this](const QList<RecentFiles>& gone) {
            if (m_gone == gone)
                return;
            m_gone = gone;
            write();
        });
}

void StartPage::write()
{
    QString html = "<h1>Warpline</h1><p>"
        + tr("See where GPU time goes. Opens Nsight Systems exports (.sqlite) and PyTorch profiler traces.")
        + "</p><table cellspacing=0 style='margin-top:12px; margin-bottom:8px'><tr>"
        + buttonTo("open:", tr("Open reports\u2026"), palette()) + "<td>&nbsp; </td>"
        + buttonTo("compare:", tr("Compare two runs\u2026"), palette()) + "</tr></table><p>"
        + tr("Or drop files or a folder here.");
    const QString sample = samplePath();
    if (!sample.isEmpty())
        html += " " + tr("New to Warpline? %1").arg(linkTo(sample, tr("Open the sample report")));
    html += "</p><h3>" + tr("Record a report") + "</h3><table cellpadding=3><tr><td>" + tr("Record")
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
