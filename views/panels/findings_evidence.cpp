// The finding that is chosen in the findings panel: its text, and its evidence in the timeline, one piece
// after the other.

#include "core/base/format.h"
#include "views/panels/finding_text.h"
#include "views/panels/findings_panel.h"
#include "views/style/explained_terms.h"
#include "views/style/rich_text.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTextBrowser>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

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
}

QString FindingsPanel::textOf(const Finding& finding, std::size_t part) const
{
    const ReportId report = m_parts[part].report;
    const ClockOffset clock
        = isOpen(m_parts[part]) ? m_session.workspace().report(report).clock : ClockOffset{};
    const QString text = findingHtml(*m_parts[part].trace, finding, m_parts[part].measured, clock);
    return isOfSeveral() ? "<p>" + htmlOf(m_parts[part].label) + "</p>" + text : text;
}

void FindingsPanel::choose(const QTreeWidgetItem* item)
{
    if (!findingOf(item))
        return;
    if (findingOf(item) != m_chosen) // mostly described when its line became the current one: a page of text
        describe(item);
    m_evidence = 0;
    m_visited = false;
    if (!isOpen(m_parts[m_chosenPart]))
        return;
    std::vector<EventRef> events;
    for (const Evidence& proof : m_chosen->evidence) {
        if (proof.event.valid())
            events.push_back(proof.event);
    }
    m_session.setHighlighted(m_parts[m_chosenPart].report, std::move(events));
    if (!m_chosen->evidence.empty())
        showEvidence(0);
    else {
        m_session.markRange({});
        m_session.goTo(sharedTime(m_chosen->where));
    }
    showPlace();
}

bool FindingsPanel::chooseRule(const QString& rule)
{
    if (m_process->currentIndex() > 0 || m_device->currentIndex() > 0 || !m_nvtx->text().isEmpty()) {
        m_process->setCurrentIndex(0);
        m_device->setCurrentIndex(0);
        m_nvtx->clear();
        showList();
    }
    for (QTreeWidgetItemIterator at(m_list); *at; ++at) {
        const Finding* const finding = findingOf(*at);
        if (finding && finding->rule == rule.toStdString()) {
            m_list->setCurrentItem(*at);
            choose(*at);
            return true;
        }
    }
    return false;
}

TimeRange FindingsPanel::sharedTime(TimeRange own) const
{
    return m_session.workspace().report(m_parts[m_chosenPart].report).clock.toWorkspace(own);
}

void FindingsPanel::showEvidence(std::size_t index)
{
    if (!m_chosen && m_list->topLevelItemCount() > 0) {
        choose(m_list->topLevelItem(0)); // the one described until the user chooses
        m_list->setCurrentItem(m_list->topLevelItem(0));
    }
    if (!m_chosen || index >= m_chosen->evidence.size() || !isOpen(m_parts[m_chosenPart]))
        return;
    m_evidence = index;
    m_visited = true;
    const Evidence& proof = m_chosen->evidence[index];
    if (proof.event.valid()) {
        m_session.markRange({});
        m_session.goToAtScale({m_parts[m_chosenPart].report, proof.event});
    } else {
        m_session.setCurrentEvent({});
        const TimeRange range = sharedTime(proof.range);
        m_session.goToAtScale(range);
        m_session.markRange(range);
    }
    showPlace();
}

void FindingsPanel::showPlace()
{
    if (m_chosen && !m_chosen->evidence.empty())
        m_place->setText(m_chosen->evidence.size() < m_chosen->evidenceTotal
                ? tr("Evidence %1 of the %2 worst of %3")
                      .arg(m_evidence + 1)
                      .arg(m_chosen->evidence.size())
                      .arg(QString::fromStdString(formatCount(m_chosen->evidenceTotal)))
                : tr("Evidence %1 of %2").arg(m_evidence + 1).arg(m_chosen->evidence.size()));
    else
        m_place->clear();
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
