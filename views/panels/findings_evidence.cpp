// The finding that is chosen in the findings panel: its text, and its evidence in the timeline, one piece
// after the other.

#include "core/findings/finding_words.h"
#include "core/render/render.h"
#include "views/panels/finding_text.h"
#include "views/panels/findings_panel.h"
#include "views/session/chosen_cure.h"
#include "views/style/explained_terms.h"
#include "views/style/rich_text.h"

#include <QLabel>
#include <QTextBrowser>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

#include <algorithm>
#include <utility>

namespace warpline {

void FindingsPanel::describe(const QTreeWidgetItem* item)
{
    const Finding* const finding = findingOf(item);
    if (!finding)
        return;
    m_chosen = finding;
    m_chosenPart = partOfItem(item);
    m_evidence = 0;
    m_visited = false;
    showExplained(*m_text, textOf(*finding, m_chosenPart));
    showPlace();
    emit described();
}

QString FindingsPanel::chosenId() const
{
    return m_chosen ? warpline::textOf(stableId(*all().parts[m_chosenPart].trace, *m_chosen)) : QString();
}

QString FindingsPanel::textOf(const Finding& finding, std::size_t part) const
{
    const ReportId report = all().parts[part].report;
    const ClockOffset clock
        = isOpen(all().parts[part]) ? m_session.workspace().report(report).clock : ClockOffset{};
    const QString text = findingHtml(*all().parts[part].trace, finding, all().parts[part].measured, clock);
    return isOfSeveral() ? "<p>" + htmlOf(all().parts[part].label) + "</p>" + text : text;
}

void FindingsPanel::read(const QTreeWidgetItem* item)
{
    Selection& selection = m_session.selection();
    const bool isAtEvidence = m_chosen && m_visited && m_evidence < m_chosen->evidence.size()
        && isOpen(all().parts[m_chosenPart])
        && selection.currentEvent()
            == EventId{all().parts[m_chosenPart].report, m_chosen->evidence[m_evidence].event};
    describe(item);
    if (!findingOf(item) || !isOpen(all().parts[m_chosenPart]))
        return;
    if (isAtEvidence)
        selection.setCurrentEvent({});
    highlightEvidence();
    const bool isOfRange = !m_chosen->evidence.empty() && !m_chosen->evidence.front().event.valid();
    selection.markRange(isOfRange ? sharedTime(m_chosen->evidence.front().range) : TimeRange{});
    showPlace(); // the marks of the finding before are gone
}

void FindingsPanel::highlightEvidence()
{
    std::vector<EventRef> events;
    for (const Evidence& proof : m_chosen->evidence) {
        if (proof.event.valid())
            events.push_back(proof.event);
    }
    m_session.selection().setHighlighted(all().parts[m_chosenPart].report, std::move(events));
}

void FindingsPanel::choose(const QTreeWidgetItem* item)
{
    if (!findingOf(item))
        return;
    if (findingOf(item) != m_chosen) // mostly described when its line became the current one: a page of text
        describe(item);
    m_evidence = 0;
    m_visited = false;
    if (!isOpen(all().parts[m_chosenPart]))
        return;
    highlightEvidence();
    if (!m_chosen->evidence.empty())
        showEvidence(0);
    else {
        m_session.selection().markRange({});
        m_session.time().goTo(sharedTime(m_chosen->where));
    }
    showPlace();
}

bool FindingsPanel::chooseFinding(const QString& which)
{
    if (!m_scope.isAll())
        m_session.selection().selectRows({});
    if (!m_nvtx->text().isEmpty()) {
        m_nvtx->clear();
        showList();
    }
    const std::string asked = which.toStdString();
    const Part* const own = &m_session.judgement().findings().shownPart();
    QTreeWidgetItem* chosen = nullptr;
    for (QTreeWidgetItemIterator at(m_list); *at; ++at) {
        const Finding* const finding = findingOf(*at);
        if (!finding || !asked.starts_with(finding->rule))
            continue;
        const Part& part = all().parts[partOfItem(*at)];
        const bool isIt = asked == finding->rule || asked == stableId(*part.trace, *finding);
        if (isIt && (!chosen || &part == own))
            chosen = *at;
        if (chosen && (asked == finding->rule || &part == own))
            break;
    }
    if (!chosen)
        return false;
    m_list->setCurrentItem(chosen);
    choose(chosen);
    return true;
}

TimeRange FindingsPanel::sharedTime(TimeRange own) const
{
    return m_session.workspace().report(all().parts[m_chosenPart].report).clock.toWorkspace(own);
}

void FindingsPanel::showEvidence(std::size_t index)
{
    if (!m_chosen && m_list->topLevelItemCount() > 0) {
        choose(m_list->topLevelItem(0)); // the one described until the user chooses
        m_list->setCurrentItem(m_list->topLevelItem(0));
    }
    if (!m_chosen || index >= m_chosen->evidence.size() || !isOpen(all().parts[m_chosenPart]))
        return;
    m_evidence = index;
    m_visited = true;
    const Evidence& proof = m_chosen->evidence[index];
    if (proof.event.valid()) {
        if (!isMarked(proof))
            highlightEvidence(); // a cleared selection left none
        m_session.selection().markRange({});
        m_session.selection().goToAtScale({all().parts[m_chosenPart].report, proof.event});
    } else {
        m_session.selection().setCurrentEvent({});
        const TimeRange range = sharedTime(proof.range);
        m_session.time().goToAtScale(range);
        m_session.selection().markRange(range);
    }
    showPlace();
}

bool FindingsPanel::isMarked(const Evidence& proof) const
{
    const Selection& selection = m_session.selection();
    return proof.event.valid() ? selection.isHighlighted({all().parts[m_chosenPart].report, proof.event})
                               : !selection.markedRange().empty();
}

/// Panels show the report of the finding from now on: its cure is for that one's events.
void FindingsPanel::tryCure()
{
    if (!m_chosen && m_list->topLevelItemCount() > 0)
        describe(m_list->topLevelItem(0)); // the one described until the user chooses
    if (!m_chosen || !isOpen(all().parts[m_chosenPart]))
        return;
    const QString title = warpline::textOf(plain(m_chosen->title));
    Cure cure = m_chosen->cure; // another report has other findings
    const ReportId report = all().parts[m_chosenPart].report;
    if (m_session.followsSelection())
        m_session.followSelected(report);
    else
        m_session.chooseReport(report);
    m_session.judgement().cure().choose(title, std::move(cure));
    emit m_session.panelRequested("whatif");
}

/// The place ends with the marks, as when the selection is cleared.
void FindingsPanel::leaveEvidence()
{
    if (!isAnyMarked())
        m_place->clear();
}

bool FindingsPanel::isAnyMarked() const
{
    const auto isSeen = [this](const Evidence& proof) { return isMarked(proof); };
    return m_chosen && std::ranges::any_of(m_chosen->evidence, isSeen);
}

void FindingsPanel::showPlace()
{
    if (!isAnyMarked()) {
        m_place->clear();
        return;
    }
    const std::size_t kept = m_chosen->evidence.size();
    m_place->setText(
        (m_chosen->evidenceTotal > kept ? tr("Evidence %1 of the %2 longest") : tr("Evidence %1 of %2"))
            .arg(m_evidence + 1)
            .arg(kept));
    if (!isVisible()) // keys step through it all the same
        emit messages(m_place->text() + ": " + plainTextOf(m_chosen->title));
}

void FindingsPanel::stepEvidence(bool forward)
{
    if (!m_chosen) {
        showEvidence(0);
        return;
    }
    const std::size_t count = m_chosen->evidence.size();
    if (count == 0)
        return;
    if (!m_visited && forward)
        showEvidence(0); // described, not gone to yet
    else
        showEvidence((m_evidence + (forward ? 1 : count - 1)) % count);
}

} // namespace warpline
