#include "views/panels/name_panel.h"

#include "core/base/utf8.h"
#include "core/filter/filter_values.h"
#include "core/operators/kernel_work.h"
#include "core/query/find_names.h"
#include "core/store/trace.h"
#include "views/panels/name_lines.h"
#include "views/panels/table_columns.h"
#include "views/session/row_scope.h"
#include "views/style/rich_text.h"

#include <QComboBox>
#include <QLabel>
#include <QSettings>
#include <QTableView>
#include <QToolButton>

#include <algorithm>
#include <limits>
#include <tuple>

namespace warpline {

namespace {

std::string nameOf(const Trace& trace, const NamedQuery& query)
{
    if (query.form == NameForm::Label)
        return toUtf8(query.label);
    return query.name ? toUtf8(trace.text(*query.name)) : std::string();
}

} // namespace

void NamePanel::connectParts()
{
    connect(&m_session.selection(), &Selection::currentEventChanged, this, &NamePanel::followCurrent);
    connect(&m_session.selection(), &Selection::highlightedChanged, this, &NamePanel::followHighlights);
    connect(&m_session.time(), &TimeView::judgedChanged, this, [this] { requestRefresh(); });
    connect(&m_session.selection(), &Selection::selectedRowsChanged, this, [this] { requestRefresh(); });
    connect(&m_session.selection(), &Selection::filterChanged, this, [this] {
        if (m_brushing)
            return;
        m_histogram->endBrush(); // another filter lists other events now
        m_brushText->setWhole({});
    });
    connect(m_keep, &QToolButton::toggled, this, &NamePanel::followCurrent);
    connect(m_filter, &FilterEdit::filterTyped, this, [this] { // an incomplete filter changes nothing
        m_narrowing = m_filter->text();
        requestRefresh();
    });
    connect(m_form, &QComboBox::activated, this, [this] {
        if (m_asked.valid())
            ask(m_asked);
    });
    for (QComboBox* const box : {m_axis, m_order})
        connect(box, &QComboBox::activated, this, [this] { requestRefreshAtOnce(); });
    connect(m_grouping, &QComboBox::activated, this, [this] {
        m_wantedGrouping = m_grouping->currentData().toString();
        requestGroups();
    });
    connect(
        m_weight, &QComboBox::activated, this, [this](int chosen) { m_histogram->setByTime(chosen == 1); });
    connect(m_histogram, &NameHistogram::brushChanged, this, &NamePanel::brush);
    connect(m_pace, &NamePaceChart::chosen, this, &NamePanel::goTo);
    connect(m_shortest, &QToolButton::clicked, this, [this] { goTo(m_answer->figures.shortest); });
    connect(m_median, &QToolButton::clicked, this, [this] { goTo(m_answer->middle); });
    connect(m_longest, &QToolButton::clicked, this, [this] { goTo(m_answer->figures.longest); });
    connect(m_table, &QTableView::doubleClicked, this,
        [this](const QModelIndex& index) { goTo(m_found[m_groups->line(index.row()).id].figures.longest); });
    m_job.onFailure([this] {
        showHint(); // the values of the name before must not stay
        m_figures->setText(m_job.failure());
        emit updated();
    });
    m_groupJob.onFailure([this] {
        m_found.clear();
        m_groups->setLines({});
        emit updated();
    });
    m_table->setToolTip(tr("Double-click to go to the longest event of a group"));
}

void NamePanel::setTheme(const Theme& theme)
{
    m_histogram->setTheme(theme);
    m_pace->setTheme(theme);
}

void NamePanel::saveState(QSettings& settings) const
{
    settings.setValue("form", m_form->currentIndex());
    settings.setValue("weight", m_weight->currentIndex());
    settings.setValue("axis", m_axis->currentIndex());
    settings.setValue("order", m_order->currentIndex());
    settings.setValue("grouping", m_wantedGrouping);
}

void NamePanel::restoreState(const QSettings& settings)
{
    const auto restore = [&](QComboBox& box, const char* key) {
        box.setCurrentIndex(std::clamp(settings.value(key).toInt(), 0, box.count() - 1));
    };
    restore(*m_form, "form");
    restore(*m_weight, "weight");
    restore(*m_axis, "axis");
    restore(*m_order, "order");
    m_histogram->setByTime(m_weight->currentIndex() == 1);
    m_wantedGrouping = settings.value("grouping").toString();
}

void NamePanel::showReport()
{
    clear();
    followCurrent();
}

void NamePanel::clear()
{
    m_job.cancel();
    m_groupJob.cancel();
    m_rankJob.cancel();
    m_query.reset();
    m_asked = {};
    m_keep->setChecked(false);
    showHint();
}

void NamePanel::showHint()
{
    m_answer.reset();
    m_found.clear();
    m_title->setWhole({});
    m_figures->setText(tr("Select an event to compare it with others of the same name."));
    m_histogram->setHistogram({});
    m_pace->setPace({}, 0, false);
    m_groups->setLines({});
    m_brushText->setWhole({});
    m_form->hide();
    showParts(false); // without events there is nothing to chart, narrow or go to
}

void NamePanel::showParts(bool shown)
{
    m_histogram->parentWidget()->setVisible(shown);
    m_table->parentWidget()->setVisible(shown);
    m_shortest->parentWidget()->setVisible(shown);
    m_filter->setVisible(shown);
    m_keep->setVisible(shown);
}

void NamePanel::ask(EventRef event)
{
    m_asked = event;
    m_query = namedAs(m_session.trace(), event, static_cast<NameForm>(m_form->currentData().toInt()));
    fillGroupings();
    requestRefreshAtOnce();
}

void NamePanel::fillGroupings()
{
    const Trace& trace = m_session.trace();
    m_grouping->clear();
    for (const NameGroupingInfo& info : allNameGroupings()) {
        if (!canGroup(trace, m_query->kind, info.grouping))
            continue;
        m_grouping->addItem(textOf(std::string(info.title)), textOf(std::string(info.key)));
        if (info.grouping != NameGrouping::Payload)
            continue;
        for (const StringId field : trace.nvtx().payloadFields) {
            const QString name = textOf(toUtf8(trace.text(field)));
            m_grouping->addItem(tr("Payload: %1").arg(name), "payload." + name);
        }
    }
    m_grouping->setCurrentIndex(std::max(0, m_grouping->findData(m_wantedGrouping)));
}

void NamePanel::refresh()
{
    if (!m_query) {
        emit updated();
        return;
    }
    NamedQuery query = *m_query;
    query.filter = m_narrowing.toStdString();
    if (const std::string rows = rowScopeOf(m_session).filter(); !rows.empty())
        query.filter = query.filter.empty() ? rows : "(" + query.filter + ") " + rows;
    if (!m_session.time().selectedRange().empty())
        query.window = m_session.ownTime(m_session.time().judged());
    const NameWishes wishes{.axis = m_axis->currentIndex(), .byInstance = m_order->currentIndex() == 1};
    m_groupJob.cancel();
    m_job.start([trace = m_session.sharedTrace(), query, wishes](
                    const std::stop_token& stop) { return nameAnswer(*trace, query, wishes, stop); },
        [this](std::shared_ptr<const NameAnswer> answer) { showAnswer(std::move(answer)); });
}

void NamePanel::showAnswer(std::shared_ptr<const NameAnswer> answer)
{
    m_answer = std::move(answer);
    const DurationFigures& figures = m_answer->figures;
    m_title->setWhole(textOf(nameOf(m_session.trace(), m_answer->query)));
    m_form->setVisible(m_answer->query.kind == EventKind::Kernel);
    showParts(true);
    m_histogram->setHistogram(m_answer->histogram);
    brushFiltered();
    showBrush();
    m_pace->setPace(m_answer->pace, figures.outlierFence(), m_answer->histogram.isLogarithmic);
    for (QToolButton* const button : {m_shortest, m_median, m_longest})
        button->setEnabled(figures.count > 0);
    markCurrent();
    requestGroups();
    emit updated();
}

NameGroupQuery NamePanel::groupQuery() const
{
    NameGroupQuery query;
    const QString grouping = m_grouping->currentData().toString();
    for (const NameGroupingInfo& info : allNameGroupings()) {
        if (grouping == textOf(std::string(info.key)))
            query.grouping = info.grouping;
    }
    if (grouping.startsWith("payload."))
        query.grouping = NameGrouping::Payload;
    return query;
}

void NamePanel::requestGroups()
{
    if (!m_answer)
        return;
    // After the statistics, which users wait for: grouping may take longer.
    const QString grouping = m_grouping->currentData().toString();
    const std::string field = grouping.startsWith("payload.") ? grouping.mid(8).toStdString() : std::string();
    m_groupJob.start(
        [trace = m_session.sharedTrace(), answer = m_answer, kind = m_answer->query.kind,
            query = groupQuery(), field](const std::stop_token& stop) mutable {
            query.field = field;
            query.ofAll = &answer->figures;
            std::shared_ptr<const OperatorRooflines> rooflines;
            if (kind == EventKind::Kernel)
                rooflines = operatorRooflinesOf(*trace, stop);
            if (rooflines && !rooflines->empty())
                query.addTo
                    = [&](EventIndex kernel, GroupSums& sums) { addWork(*trace, *rooflines, kernel, sums); };
            return groupsOf(*trace, kind, answer->events, query, stop);
        },
        [this](std::vector<NameGroup> groups) {
            m_found = std::move(groups);
            showGroups();
            emit updated();
        });
}

void NamePanel::showGroups()
{
    m_groups->setLines(groupLines(m_found));
    const bool hasWork = std::ranges::any_of(m_found, [](const NameGroup& group) {
        return std::ranges::any_of(group.sums, [](double sum) { return sum > 0; });
    });
    const int columns = m_groups->columnCount();
    for (int i = columns - static_cast<int>(allWorkColumns.size()); i < columns; ++i)
        m_table->setColumnHidden(i, !hasWork);
    constexpr int widest = 360;
    fitColumns(*m_table, widest, true);
}

void NamePanel::endBrush()
{
    m_brushing = true;
    m_histogram->endBrush();
    m_brushText->setWhole({});
    m_session.selection().setFilter({});
    m_brushing = false;
}

void NamePanel::brush()
{
    if (!m_answer)
        return;
    m_brushing = true;
    showBrush();
    m_session.selection().setFilter(m_histogram->brushed() ? shownFilter() : EventFilter());
    m_brushing = false;
}

void NamePanel::brushFiltered()
{
    const EventFilter& filter = m_session.selection().filter();
    const DurationHistogram& histogram = m_histogram->histogram();
    if (histogram.bins() == 0
        || (filter.minDuration <= 0 && filter.maxDuration == std::numeric_limits<Ns>::max()))
        return;
    m_histogram->setBrush(histogram.binOf(filter.minDuration), histogram.binOf(filter.maxDuration));
    if (shownFilter() != filter) // of other events, or between the bars
        m_histogram->endBrush();
}

void NamePanel::showBrush()
{
    m_brushText->setWhole({});
    const auto brushed = m_histogram->brushed();
    if (!brushed)
        return;
    const DurationHistogram& histogram = m_answer->histogram;
    std::uint64_t count = 0;
    Ns total = 0;
    for (std::size_t i = brushed->first; i <= brushed->second; ++i) {
        count += histogram.counts[i];
        total += histogram.totals[i];
    }
    const double share = m_answer->figures.total > 0
        ? static_cast<double>(total) / static_cast<double>(m_answer->figures.total)
        : 0;
    m_brushText->setWhole((count == 1 ? tr("%1 event = %2 of the time") : tr("%1 events = %2 of the time"))
                              .arg(numberText(count), shareText(share)));
}

EventFilter NamePanel::shownFilter() const
{
    EventFilter filter;
    if (!m_answer)
        return filter;
    filter.kind = m_answer->query.kind;
    if (const auto brushed = m_histogram->brushed())
        std::tie(filter.minDuration, filter.maxDuration)
            = m_answer->histogram.durations(brushed->first, brushed->second);
    const std::string narrowed = m_narrowing.toStdString();
    if (m_answer->query.form == NameForm::Full && m_answer->query.name) {
        filter.name = std::string(m_session.trace().text(*m_answer->query.name));
        filter.text = narrowed;
    } else {
        filter.text = toUtf8(withName(narrowed, quotedValue(nameOf(m_session.trace(), m_answer->query))));
    }
    return filter;
}

QStringList NamePanel::commandWords() const
{
    if (!m_answer)
        return {};
    const NamedQuery& query = m_answer->query;
    QStringList words{wholeTextOf(nameOf(m_session.trace(), query)), "--kind",
        textOf(kindKeyOf(query.kind, query.recordedOnGpu))};
    if (!query.filter.empty())
        words << "--where" << wholeTextOf(query.filter);
    if (const QString grouping = m_grouping->currentData().toString(); !grouping.isEmpty())
        words << "--by" << grouping;
    return words;
}

void NamePanel::goTo(EventIndex event)
{
    if (m_answer && event != noIndex)
        m_session.selection().goToAtScale(m_session.idOf({m_answer->query.kind, event}));
}

extern const PanelKind namePanel;
const PanelKind namePanel{
    .id = "name",
    .title = QT_TRANSLATE_NOOP("Action", "Same name"),
    .help = QT_TRANSLATE_NOOP("Action", "Durations of all events with the name of the selected one"),
    .place = PanelPlace::Below,
    .keys = "Ctrl+4",
    .make = makePanel<NamePanel>,
};

} // namespace warpline
