#include "views/panels/finding_text.h"

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/export/findings_html.h"
#include "core/export/findings_text.h"
#include "core/store/trace.h"

#include <QObject>

#include <algorithm>

namespace warpline {

namespace {

constexpr std::size_t evidenceShown = 60;

QString escaped(std::string_view text)
{
    return QString::fromStdString(toUtf8(text)).toHtmlEscaped();
}

} // namespace

QString findingHtml(const Trace& trace, const Finding& finding)
{
    QString html
        = "<p><big><b>" + escaped(finding.title) + "</b></big></p><p>" + escaped(finding.message) + "</p>";
    html += "<p><b>" + QObject::tr("Why it costs time") + "</b><br>" + escaped(finding.why) + "</p>";
    html += "<p><b>" + QObject::tr("What to do") + "</b><br>" + escaped(finding.remedy) + "</p>";
    html += "<p>"
        + QObject::tr("Severity: %1. Sure: %2.")
              .arg(escaped(keyOf(finding.severity)), escaped(keyOf(finding.confidence)));
    if (finding.saving > 0)
        html += " "
            + QObject::tr("Upper bound of the saving: %1 (%2 of the range).")
                  .arg(QString::fromStdString(formatDuration(finding.saving)),
                      QString::fromStdString(formatShare(static_cast<double>(finding.saving)
                          / std::max<double>(1, static_cast<double>(trace.session.duration())))));
    html += "</p>";
    if (finding.evidence.empty())
        return html;
    html += "<p><b>"
        + QObject::tr("Evidence (%1)")
              .arg(QString::fromStdString(
                  formatCount(std::max<std::uint64_t>(finding.evidenceTotal, finding.evidence.size()))))
        + "</b></p><table cellspacing=0 cellpadding=1>";
    for (std::size_t i = 0; i < std::min(evidenceShown, finding.evidence.size()); ++i) {
        const Evidence& proof = finding.evidence[i];
        const QString name
            = proof.event.valid() ? escaped(trace.displayName(proof.event)) : QObject::tr("stretch of time");
        html += QString("<tr><td><a href='evidence:%1'>%2</a>&nbsp;&nbsp;</td><td "
                        "align=right>%3&nbsp;&nbsp;</td><td>%4&nbsp;&nbsp;</td><td>%5</td></tr>")
                    .arg(i)
                    .arg(QString::fromStdString(formatTime(proof.range.start, 1000)),
                        QString::fromStdString(formatDuration(proof.range.duration())), name,
                        escaped(proof.note));
    }
    return html + "</table>";
}

QString findingsFile(const Trace& trace, std::span<const Finding> findings,
    std::span<const ChecklistAnswer> checklist, const QString& path)
{
    if (path.endsWith(".json", Qt::CaseInsensitive))
        return QString::fromStdString(findingsJson(trace, findings, checklist));
    if (path.endsWith(".md", Qt::CaseInsensitive))
        return QString::fromStdString(findingsMarkdown(trace, findings, checklist));
    return QString::fromStdString(findingsHtml(trace, findings, checklist));
}

} // namespace warpline
