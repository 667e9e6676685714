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
        else
            emit fileWanted(url.toString(QUrl::FullyDecoded).mid(5));
    });
    fill();
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
    QString html = "<h1>Warpline</h1><p>"
        + tr("Timeline viewer and analyzer for Nsight Systems reports that were exported to SQLite.")
        + "</p><p>"
        + tr("%1 or drop one here.")
              .arg("<big><a href='open:'>" + tr("Open a report").toHtmlEscaped() + "</a></big>");
    const QString sample = samplePath();
    if (!sample.isEmpty())
        html += " " + tr("New here? %1").arg(linkTo(sample, tr("Open the sample.")));
    html += "</p><h3>" + tr("How to get one") + "</h3><table cellpadding=3><tr><td>" + tr("Record")
        + "</td><td><code>"
        + "nsys profile --trace=cuda,nvtx,osrt --output=report ./program</code></td></tr><tr><td>"
        + tr("Export") + "</td><td><code>nsys export --type sqlite report.nsys-rep</code></td></tr></table>";
    const QStringList recent = QSettings().value("recent").toStringList();
    if (!recent.isEmpty()) {
        html += "<h3>" + tr("Recent") + "</h3><table cellpadding=3>";
        for (const QString& path : recent) {
            const QFileInfo file(path);
            html += "<tr><td>"
                + (file.exists() ? linkTo(path, file.fileName()) : file.fileName().toHtmlEscaped())
                + "&nbsp;&nbsp;</td><td>"
                + (file.exists() ? file.path().toHtmlEscaped() : tr("not there any more")) + "</td></tr>";
        }
        html += "</table>";
    }
    setHtml(html);
    constexpr double margin = 40;
    document()->setDocumentMargin(margin);
}

void StartPage::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        fill(); // links keep the colour they were made with
}

} // namespace warpline
