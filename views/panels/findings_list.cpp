// The list of the findings panel: which findings pass its filters, and their layout.

#include "core/store/trace.h"
#include "views/panels/findings_panel.h"

#include "core/across/across_rule.h"
#include "core/base/glob.h"
#include "core/findings/finding_order.h"
#include "core/findings/finding_words.h"
#include "core/findings/savings.h"
#include "core/render/render.h"
#include "core/store/event_loops.h"
#include "core/store/place_names.h"
#include "views/style/explained_terms.h"
#include "views/style/rich_text.h"
#include "views/style/severity_icon.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTextBrowser>
#include <QTreeWidget>

#include <algorithm>

namespace warpline {

namespace {

constexpr int findingRole = Qt::UserRole; ///< const Finding* as an integer
constexpr int partRole = Qt::UserRole + 1; ///< index of the finding's report

/// The time of all NVTX ranges whose name matches `pattern`: a glob, or a part of the name when it has no *
/// and ?.
Intervals timeOfRanges(const Trace& trace, const std::string& pattern, const std::stop_token& stop)
{
    const bool glob = pattern.find_first_of("*?") != std::string::npos;
    const NvtxTable& nvtx = trace.nvtx();
    std::vector<TimeRange> ranges;
    for (const EventIndex i : everyEvent(nvtx, stop)) {
        const std::string_view name = trace.text(nvtx.name[i]);
        if (glob ? matchesGlob(name, pattern) : name.find(pattern) != std::string_view::npos)
            ranges.push_back(nvtx.range(i));
    }
    return unionOf(std::move(ranges), trace.session);
}

bool touches(const Intervals& time, TimeRange range)
{
    const auto after = std::ranges::upper_bound(time, range.start, {}, &TimeRange::end);
    return after != time.end() && (after->start < range.end || after->contains(range.start));
}

/// "≤ 20 ms": an upper bound.
QString boundOf(Ns saving)
{
    return QString("%1 %2").arg(QChar(0x2264)).arg(durationText(saving));
}

/// "≈ 12 ms" expected by a replay, "≤ 20 ms" as upper bound, or "3 s once": short, for a narrow list.
QString savingOf(const Finding& finding)
{
    if (finding.saving <= 0)
        return plainTextOf(savingText(finding));
    const Ns time = weightOf(finding);
    return QString("%1 %2")
        .arg(QChar(showsExpected(finding) ? 0x2248 : 0x2264))
        .arg(time > 0 ? durationText(time) : QString("0"));
}

} // namespace

FindingsPanel::Wanted FindingsPanel::wantedIn(
    const Part& part, const std::string& text, const std::stop_token& stop)
{
    const FilterExpression filter(text);
    if (filter.plainText())
        return {part.trace, timeOfRanges(*part.trace, text, stop), nullptr};
    Wanted wanted{part.trace, {}, nullptr};
    wanted.events = std::make_shared<const EventPredicate>(*part.trace, filter, stop);
    std::vector<TimeRange> ranges;
    for (const EventKind kind : allEventKinds()) {
        const EventTable& table = part.trace->table(kind);
        if (isDerived(kind) || !wanted.events->mayPass(kind))
            continue;
        for (const EventIndex i : everyEvent(table, stop)) {
            if ((*wanted.events)({kind, i}))
                ranges.push_back(table.range(i));
        }
    }
    wanted.time = unionOf(std::move(ranges), part.trace->session);
    return wanted;
}

void FindingsPanel::askForNvtx()
{
    const std::string text = m_nvtx->text().trimmed().toStdString();
    if (m_nvtx->mistake())
        return; // an incomplete filter does not empty the list
    if (text.empty()) {
        m_within.cancel();
        m_wanted.reset();
        showList();
        return;
    }
    m_within.start(
        [parts = all().parts, text](const std::stop_token& stop) {
            std::vector<Wanted> wanted;
            for (const Part& part : parts)
                wanted.push_back(wantedIn(part, text, stop));
            return wanted;
        },
        [this](std::vector<Wanted> wanted) {
            m_wanted = std::move(wanted);
            showList();
            emit updated();
        });
}

bool FindingsPanel::passesFilters(const Finding& finding, std::size_t part) const
{
    const bool isOwn = all().parts[part].trace == m_session.sharedTrace(); // rows are of that report
    if (isOwn && !m_scope.covers(finding.process, finding.device))
        return false;
    if (!m_wanted || part >= m_wanted->size() || (*m_wanted)[part].trace != all().parts[part].trace)
        return true;
    const Wanted& wanted = (*m_wanted)[part];
    if (finding.evidence.empty())
        return touches(wanted.time, finding.where);
    return std::ranges::any_of(finding.evidence, [&](const Evidence& proof) {
        return wanted.events && proof.event.valid() ? (*wanted.events)(proof.event)
                                                    : touches(wanted.time, proof.range);
    });
}

std::vector<Finding> FindingsPanel::shownFindings() const
{
    std::vector<Finding> shown;
    for (std::size_t i = 0; i < findings().size(); ++i) {
        if (passesFilters(findings()[i], all().partOf[i]))
            shown.push_back(findings()[i]);
    }
    return shown;
}

std::vector<Finding> FindingsPanel::shownOf(std::size_t part) const
{
    std::vector<Finding> shown;
    for (std::size_t i = 0; i < findings().size(); ++i) {
        if (all().partOf[i] == part && passesFilters(findings()[i], part))
            shown.push_back(findings()[i]);
        for (const Finding& folded : m_session.judgement().findings().foldedFor(i, part)) {
            if (passesFilters(folded, part))
                shown.push_back(folded);
        }
    }
    std::ranges::stable_sort(shown, ranksHigher);
    return shown;
}

std::vector<Finding> FindingsPanel::shownOfSession() const
{
    return all().parts.empty() ? std::vector<Finding>()
                               : shownOf(static_cast<std::size_t>(
                                   &m_session.judgement().findings().shownPart() - all().parts.data()));
}

const Finding* FindingsPanel::findingOf(const QTreeWidgetItem* item)
{
    const QVariant place = item->data(0, findingRole);
    return place.isValid() ? reinterpret_cast<const Finding*>(place.value<quintptr>()) : nullptr;
}

std::size_t FindingsPanel::partOfItem(const QTreeWidgetItem* item)
{
    return item->data(0, partRole).toULongLong();
}

void FindingsPanel::addItem(const Finding& finding, std::size_t part, QTreeWidgetItem* parent)
{
    auto* const item = parent ? new QTreeWidgetItem(parent) : new QTreeWidgetItem(m_list);
    item->setText(0, warpline::textOf(plain(finding.title)));
    item->setIcon(0, severityIcon(finding.severity, *m_theme));
    item->setToolTip(0, plainTip(warpline::textOf(plain(messageOf(finding)))));
    item->setText(1, savingOf(finding));
    item->setToolTip(1, plainTip(plainTextOf(expectedSavingText(finding))));
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    item->setData(0, findingRole, QVariant::fromValue(reinterpret_cast<quintptr>(&finding)));
    item->setData(0, partRole, QVariant::fromValue<qulonglong>(part));
    if (isOfSeveral())
        item->setText(2, warpline::textOf(all().parts[part].label));
    if (&finding == m_chosen)
        m_list->setCurrentItem(item);
    if (finding.merged.empty())
        return;
    const auto isTop = [&](const Finding& each) { return &each == &finding; };
    const auto place = static_cast<std::size_t>(std::ranges::find_if(findings(), isTop) - findings().begin());
    for (std::size_t i = 0; i < finding.merged.size(); ++i)
        addItem(finding.merged[i],
            place < findings().size() ? m_session.judgement().findings().partOfMerged(place, i) : part, item);
}

void FindingsPanel::addTotal()
{
    const std::vector<Finding> shown = shownFindings();
    const bool isOfRanks = std::ranges::any_of(
        shown, [](const Finding& finding) { return findAcrossRule(finding.rule) != nullptr; });
    if (isOfSeveral() || isOfRanks || savingTogether(shown) <= 0) // another rank may wait for the time that
                                                                  // one rank saves
        return;
    const auto add = [this](const QString& title, Ns saving, const QString& tip) {
        auto* const item = new QTreeWidgetItem(m_list, {title, boundOf(saving)});
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        item->setToolTip(0, plainTip(tip));
        item->setFlags(Qt::ItemIsEnabled);
        QFont font = item->font(0);
        font.setItalic(true);
        item->setFont(0, font);
        item->setFont(1, font);
    };
    add(tr("Combined, without overlap"), savingTogether(shown),
        QString::fromStdString(plain(savingsSentence(shown))));
    if (savingInDoubt(shown) > 0)
        add(tr("Not included: uncertain findings"), savingInDoubt(shown),
            tr("Further potential savings of findings that rank lower. Each finding explains why."));
}

void FindingsPanel::addNotRecorded()
{
    if (all().notRecorded.empty())
        return;
    auto* const fold = new QTreeWidgetItem(m_list);
    fold->setText(0,
        all().notRecorded.size() == 1
            ? tr("1 rule skipped: data not recorded")
            : tr("%1 rules skipped: data not recorded").arg(all().notRecorded.size()));
    fold->setFlags(Qt::ItemIsEnabled);
    fold->setForeground(0, m_theme->dimText);
    for (const Rule* const rule : all().notRecorded) {
        auto* const item = new QTreeWidgetItem(fold);
        item->setText(0, tr("%1: not recorded").arg(QString::fromStdString(plain(rule->titleText()))));
        item->setFlags(Qt::NoItemFlags);
        item->setForeground(0, m_theme->dimText); // the style's own grey is too pale to read
    }
}

void FindingsPanel::showList()
{
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    m_record->setVisible(m_session.trace().complete && !all().notRecorded.empty());
    const bool nested
        = std::ranges::any_of(findings(), [](const Finding& finding) { return !finding.merged.empty(); });
    m_list->setRootIsDecorated(nested || !all().notRecorded.empty());
    m_list->setColumnCount(isOfSeveral() ? 3 : 2);
    if (isOfSeveral()) {
        m_list->headerItem()->setText(2, tr("Report"));
        m_list->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    }
    std::size_t shown = 0;
    const Finding* described = m_chosen;
    std::size_t partDescribed = m_chosenPart;
    for (std::size_t i = 0; i < findings().size(); ++i) {
        if (!passesFilters(findings()[i], all().partOf[i]))
            continue;
        addItem(findings()[i], all().partOf[i], nullptr);
        if (!described) {
            described = &findings()[i];
            partDescribed = all().partOf[i];
        }
        ++shown;
    }
    addTotal();
    if (!m_session.trace().complete) {
        m_count->clear();
        m_text->clear();
        showPlace();
        return;
    }
    addNotRecorded();
    const QString failure = m_session.judgement().findings().failure();
    QString count = !failure.isEmpty() ? QString()
        : findings().empty()           ? tr("Nothing found")
        : findings().size() == 1       ? tr("1 finding")
                                       : tr("%1 findings").arg(findings().size());
    if (shown < findings().size())
        count = tr("%1 of %2").arg(shown).arg(count);
    m_count->setText(count);
    showExplained(*m_text, described ? textOf(*described, partDescribed) : failure.toHtmlEscaped());
    showPlace();
}

} // namespace warpline
