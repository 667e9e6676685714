// Export of the findings panel: to a file, or to the clipboard.

#include "core/across/exact_waits.h"
#include "core/analysis/trace_analysis.h"
#include "core/export/findings_text.h"
#include "views/models/written_files.h"
#include "views/panels/finding_text.h"
#include "views/panels/findings_panel.h"
#include "views/session/rank_judge.h"
#include "views/session/rule_settings.h"

#include <QApplication>
#include <QClipboard>

#include <memory>

namespace warpline {

void FindingsPanel::askForFile()
{
    if (!m_export.isRead(m_session.trace().complete))
        return;
    const QString path = m_export.ask(
        tr("Save findings"), "findings.html", tr("Web page (*.html);;Markdown (*.md);;JSON (*.json)"));
    if (!path.isEmpty())
        exportTo(path);
}

void FindingsPanel::exportTo(const QString& path)
{
    m_exportWanted = {};
    if (!m_export.isRead(m_session.trace().complete)) // the rest may never come
        return;
    if (m_session.judgement().findings().isOutdated()) {
        emit messages(tr("Evaluating \u2026"));
        m_exportWanted = {path, m_session.sharedTrace()};
        if (!m_session.judgement().findings().isBusy()) // a hidden panel does not follow
            m_session.judgement().findings().evaluate();
        return;
    }
    m_export.start(path,
        [part = m_session.judgement().findings().shownPart(), findings = shownOfSession(), path,
            shared = m_session.judgement().analysisOf(m_session.judgement().findings().shownPart().trace,
                m_session.judgement().findings().shownPart().window),
            settings = std::make_shared<RuleSettings>(RuleSettings::stored()),
            covers = m_scope.tracks(m_session.sharedTrace()),
            across = m_session.judgement().ranks().sharedAcross()](const std::stop_token& stop) {
            // A stopped analysis is incomplete: nothing is written.
            return saveText(path, stop, [&](const TextSink& sink) {
                const KnownWaits waits
                    = across ? exactWaitRanges(*part.trace, *across, part.report) : KnownWaits();
                TraceAnalysis facts(*shared, stop);
                const std::vector<ChecklistAnswer> checklist = answerChecklist(facts, waits, covers);
                const QString text = findingsFile(*part.trace,
                    {.findings = findings,
                        .checklist = checklist,
                        .window = part.window,
                        .overrides = settings->overrides(),
                        .stepGlob = part.stepGlob,
                        .facts = &facts,
                        .acrossRanks = across && across->judged},
                    path);
                return sink(text.toStdString());
            });
        });
}

void FindingsPanel::copyAsMarkdown()
{
    if (!m_export.isRead(m_session.trace().complete))
        return;
    if (m_session.judgement().findings().isOutdated()) {
        const QString failure = m_session.judgement().findings().failure();
        emit messages(failure.isEmpty() ? tr("Evaluating \u2026") : failure);
        return;
    }
    const JudgedReport& part = m_session.judgement().findings().shownPart();
    const std::vector<Finding> shown = shownOfSession();
    QApplication::clipboard()->setText(QString::fromStdString(findingsMarkdown(
        *part.trace, {.findings = shown, .window = part.window, .stepGlob = part.stepGlob})));
    emit messages(isOfSeveral() ? tr("Copied the findings of %1").arg(QString::fromStdString(part.label))
                                : tr("Copied the findings"));
}

} // namespace warpline
