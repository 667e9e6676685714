#include "views/panels/finding_text.h"

#include "core/base/format.h"
#include "core/base/message_names.h"
#include "core/export/findings_html.h"
#include "core/export/findings_text.h"
#include "core/findings/finding_words.h"
#include "core/render/render.h"
#include "core/replay/what_if.h"
#include "core/store/trace.h"
#include "views/style/rich_text.h"
#include "views/style/theme.h"
#include "views/timeline/slice_names.h"

#include <QColor>
#include <QObject>

#include <algorithm>

namespace warpline {

namespace {

/// Lines of code stay lines, and keep how far they are indented.
QString codeHtml(std::string_view text)
{
    QStringList lines = htmlOf(text).split('\n');
    for (qsizetype i = 1; i < lines.size(); ++i) {
        qsizetype blanks = 0;
        while (blanks < lines[i].size() && lines[i][blanks] == ' ')
            ++blanks;
        lines[i] = "<span style='font-family:monospace'>" + QString("&nbsp;").repeated(blanks)
            + lines[i].mid(blanks) + "</span>";
    }
    return lines.join("<br>");
}

constexpr std::size_t maxListed = 40; ///< two hundred take longer to be laid out than a click may
constexpr qsizetype longestName = 64;

QString evidenceTitle(const Finding& finding)
{
    const std::uint64_t total = std::max<std::uint64_t>(finding.evidenceTotal, finding.evidence.size());
    const std::size_t kept = finding.evidence.size(); // like the number next to the buttons
    return kept < total ? QObject::tr("Evidence: the %1 longest of %2").arg(countHtml(kept), countHtml(total))
                        : QObject::tr("Evidence (%1)").arg(countHtml(total));
}

} // namespace

QString findingHtml(const Trace& trace, const Finding& finding, Ns measured, const ClockOffset& clock)
{
    QString html = "<p style='margin-bottom:4px'><b>" + richTextOf(finding.title)
        + "</b></p><p style='margin-top:0px; "
          "margin-bottom:4px'>"
        + richTextOf(messageOf(finding)) + "</p>";
    if (const Message first = reasonOf(finding); !first.empty())
        html += "<p style='margin-top:0px; margin-bottom:4px'>" + richTextOf(first) + "</p>";
    html += "<p style='margin-top:4px; margin-bottom:4px'><b>" + QObject::tr("What to do") + "</b> &nbsp;"
        + codeHtml(plain(finding.remedy)) + "</p>";
    html += "<p style='margin-top:4px; margin-bottom:4px'><b>" + QObject::tr("Why it matters") + "</b> &nbsp;"
        + richTextOf(finding.why) + "</p>";
    if (const Message caveat = caveatOf(finding); !caveat.empty())
        html += "<p style='margin-top:4px; margin-bottom:4px'><b>" + QObject::tr("Caveat") + "</b> &nbsp;"
            + richTextOf(caveat) + "</p>";
    html += "<p>"
        + QObject::tr("Severity: %1. Confidence: %2.")
              .arg(richTextOf(wordOf(finding.severity)), richTextOf(wordOf(finding.confidence)));
    if (finding.saving > 0)
        html += " "
            + QObject::tr("Potential saving: up to %1 (%2 of the measured time).")
                  .arg(roundedText(finding.saving),
                      shareHtml(static_cast<double>(finding.saving)
                          / std::max<double>(1, static_cast<double>(measured))));
    if (showsExpected(finding))
        html += " "
            + QObject::tr("Expected saving, from a replay of the steps: %1 (%2 to %3).")
                  .arg(roundedText(finding.expected->expected), roundedText(finding.expected->low),
                      roundedText(finding.expected->high));
    if (showsExpected(finding) && finding.plainShare)
        html += " "
            + QObject::tr("Without the profiler: %1 (%2 to %3).")
                  .arg(shareHtml(finding.plainShare->expected), shareHtml(finding.plainShare->low),
                      shareHtml(finding.plainShare->high));
    if (!finding.cure.empty() && mayReplay(trace))
        html += " <a href='whatif:'>" + QObject::tr("What if this were fixed?") + "</a>";
    if (finding.once > 0)
        html += " "
            + QObject::tr("One-time cost, outside the measured time: %1.").arg(roundedText(finding.once));
    html += "</p>";
    if (finding.evidence.empty())
        return html;
    html += "<p><b>" + evidenceTitle(finding) + "</b></p>";
    const std::size_t listed = std::min(maxListed, finding.evidence.size());
    for (std::size_t i = 0; i < listed; ++i) {
        const Evidence& proof = finding.evidence[i];
        const QString name
            = proof.event.valid() ? nameForms(trace, proof.event).front() : QObject::tr("Interval");
        // A note that only repeats the name adds nothing.
        const auto names = namesIn(proof.note);
        const bool repeats = proof.event.valid() && proof.note.values().size() == 1 && names.size() == 1
            && names.front() == trace.displayName(proof.event);
        const QString note = repeats ? QString() : "\t" + richTextOf(proof.note).simplified();
        html += QString("<p style='margin-top:0px; margin-bottom:1px; white-space:pre-wrap'>"
                        "<a href='evidence:%1'>%2</a>\t%3\t%4%5</p>")
                    .arg(i)
                    .arg(htmlOf(formatTime(clock.toWorkspace(proof.range.start), 1000)),
                        durationHtml(proof.range.duration()),
                        elidedInMiddle(name, longestName).simplified().toHtmlEscaped(), note);
    }
    if (listed < finding.evidence.size())
        html += "<p>"
            + QObject::tr("%1 more: choose Next evidence.").arg(countHtml(finding.evidence.size() - listed))
            + "</p>";
    return html;
}

QString factHtml(const KernelFact& fact, const Theme& theme)
{
    const QColor& color = fact.warns ? theme.bad : theme.dimText;
    return titledText(
        QString("<span style='color:%1'><b>%2</b></span>").arg(color.name(), htmlOf(plain(fact.label))),
        htmlOf(plain(fact.text)));
}

QString paragraphHtml(const QString& html, const QString& style)
{
    return "<p style='margin-top:0px; margin-bottom:4px; line-height:135%; " + style + "'>" + html + "</p>";
}

QString foldHtml(
    const QString& link, const QString& title, bool isOpen, const Theme& theme, int above, int below)
{
    return QString("<p style='margin-top:%1px; margin-bottom:%2px'><a href='%3' "
                   "style='text-decoration:none; color:%4'>%5&nbsp;<b>%6</b></a></p>")
        .arg(above)
        .arg(below)
        .arg(link, theme.text.name(), QString(QChar(isOpen ? 0x25be : 0x25b8)), title);
}

QString findingsFile(const Trace& trace, const AnalysisText& text, const QString& path)
{
    if (path.endsWith(".json", Qt::CaseInsensitive))
        return QString::fromStdString(findingsDocument(trace, text));
    if (path.endsWith(".md", Qt::CaseInsensitive))
        return QString::fromStdString(findingsMarkdown(trace, text));
    return QString::fromStdString(findingsHtml(trace, text.findings, text.checklist));
}

} // namespace warpline
