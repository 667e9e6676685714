#include "views/panels/stacks_panel.h"

#include "core/store/place_names.h"
#include "core/store/range_words.h"
#include "core/store/trace.h"
#include "core/timetree/stack_events.h"
#include "views/panels/judged_range.h"
#include "views/panels/layouts.h"
#include "views/session/row_scope.h"
#include "views/session/run_pair.h"
#include "views/style/rich_text.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSettings>
#include <QSignalBlocker>
#include <QStandardItemModel>

#include <set>
#include <utility>

namespace warpline {

StacksPanel::StacksPanel(Session& session, const Theme& theme, QWidget* parent)
    : Panel(session, parent, RefreshTime::AfterRest),
      m_source(new QComboBox(this)),
      m_thread(new QComboBox(this)),
      m_callers(new QCheckBox(tr("Innermost first"), this)),
      m_search(new QLineEdit(this)),
      m_notice(new RangeNotice(session, {}, this)),
      m_state(new ElidedLabel(Qt::ElideRight, this)),
      m_pointed(new QLabel(this)),
      m_graph(new FlameGraph(theme, this)),
      m_area(new QScrollArea(this))
{
    m_source->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_source->setAccessibleName(tr("Kind of stacks"));
    m_thread->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    constexpr int thread = 22; // characters
    m_thread->setMinimumContentsLength(thread);
    m_thread->setAccessibleName(tr("Thread"));
    constexpr int shortest = 14;
    for (QComboBox* const box : {m_source, m_thread})
        letShrink(*box, shortest);
    m_callers->setToolTip(tr("Functions first, with their callers below"));
    m_search->setPlaceholderText(tr("Search names"));
    m_search->setClearButtonEnabled(true);
    m_pointed->setTextFormat(Qt::PlainText);
    m_pointed->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_pointed->setContentsMargins(6, 0, 6, 2);
    scrollUpAndDown(*m_area, m_graph);

    auto* const bar = barLayout({m_source, m_thread, m_callers, {m_search, 1}, m_state});
    fillColumn(this, 3, {bar, m_notice, {m_area, 1}, m_pointed});

    connect(&m_session.time(), &TimeView::judgedChanged, this, [this] { requestRefresh(); });
    connect(&m_session.selection(), &Selection::selectedRowsChanged, this, [this] {
        showFollowed();
        requestRefresh();
    });
    connect(m_source, &QComboBox::activated, this, [this] {
        m_wanted = m_source->currentData().toString();
        requestRefreshAtOnce();
    });
    connect(m_thread, &QComboBox::currentIndexChanged, this, &StacksPanel::showFollowed);
    connect(m_thread, &QComboBox::activated, this, [this] { requestRefreshAtOnce(); });
    connect(m_callers, &QCheckBox::toggled, this, [this] { requestRefreshAtOnce(); });
    connect(m_search, &QLineEdit::textChanged, this, &StacksPanel::tellMatches);
    connect(m_graph, &FlameGraph::pointedAt, this,
        [this](const QString& tip) { m_pointed->setText(tip.section('\n', 0, 0)); });
    connect(m_graph, &FlameGraph::problem, this, &StacksPanel::messages);
    connect(m_graph, &FlameGraph::hovered, this, &StacksPanel::light);
    RunPair& pair = m_session.pair();
    connect(&pair, &RunPair::changed, this, [this] { requestRefresh(); });
    // Threads and times of B that play the part of those of A.
    connect(&pair, &RunPair::matched, this, [this] {
        if (!m_session.selection().selectedRows().empty())
            requestRefresh();
    });
    connect(&pair, &RunPair::aligned, this, [this] {
        if (m_session.pair().isOn() && !m_session.time().selectedRange().empty())
            requestRefresh();
    });
    connect(&m_session.selection(), &Selection::highlightedChanged, this, [this] {
        const TimeRange range = m_session.selection().markedRange();
        if (m_isMarking || std::exchange(m_markedRange, range) != range)
            return;
        m_lighting.cancel(); // a key went on while the mouse rests here
        m_before.reset();
    });
    for (LatestJob* const job : {&m_offering, &m_job}) {
        job->onFailure([this, job] {
            m_graph->setContent(nullptr);
            m_state->setWhole(job->failure());
            emit updated();
        });
    }
}

void StacksPanel::setTheme(const Theme& theme)
{
    m_graph->setTheme(theme);
}

void StacksPanel::saveState(QSettings& settings) const
{
    settings.setValue("source", m_wanted);
    settings.setValue("innermostFirst", m_callers->isChecked());
}

void StacksPanel::restoreState(const QSettings& settings)
{
    m_wanted = settings.value("source").toString();
    const QSignalBlocker quiet(m_callers);
    m_callers->setChecked(settings.value("innermostFirst").toBool());
}

const TimeTreeSource* StacksPanel::chosen() const
{
    return findTimeTreeSource(m_source->currentData().toString().toStdString());
}

void StacksPanel::showReport()
{
    m_lighting.cancel();
    m_before.reset(); // of the report before
    m_state->setWhole(tr("Computing\u2026"));
    m_offering.start(
        [trace = m_session.sharedTrace()](const std::stop_token& stop) { return offerOf(*trace, stop); },
        [this](const Offer& offer) {
            showOffer(offer);
            emit updated(); // if the panel is hidden, no result follows
        });
}

StacksPanel::Offer StacksPanel::offerOf(const Trace& trace, const std::stop_token& stop)
{
    Offer offer;
    for (const TimeTreeSource* const source : allTimeTreeSources()) {
        if (stop.stop_requested())
            break;
        if (source->applies(trace))
            offer.sources.push_back(source);
        else if (const auto missing = source->whatIsMissing ? source->whatIsMissing(trace) : "";
                 !missing.empty())
            offer.missing.emplace_back(source, textOf(missing));
    }
    // Reports name thousands of threads of the machine; those that did something are few.
    std::set<GlobalId> threads;
    for (const EventKind kind :
        {EventKind::Sample, EventKind::OsRuntime, EventKind::Nvtx, EventKind::ApiCall}) {
        for (const Track& track : trace.table(kind).tracks)
            threads.insert(track.owner);
    }
    for (const GlobalId thread : threads)
        offer.threads.emplace_back(thread, plainTextOf(threadLabel(trace, thread)));
    return offer;
}

void StacksPanel::showOffer(const Offer& offer)
{
    m_source->clear();
    qsizetype longest = 0;
    const Recorder recorder = recorderOf(m_session.trace().info);
    for (const TimeTreeSource* const source : offer.sources) {
        const QString title = plainTextOf(source->titleText(recorder));
        m_source->addItem(title, textOf(source->id));
        longest = std::max(longest, title.size());
        m_source->setItemData(
            m_source->count() - 1, plainTextOf(source->descriptionText(recorder)), Qt::ToolTipRole);
    }
    for (const auto& [source, why] : offer.missing) {
        m_source->addItem(titledText(plainTextOf(source->titleText(recorder)), why));
        qobject_cast<QStandardItemModel*>(m_source->model())->item(m_source->count() - 1)->setEnabled(false);
    }
    // The box is as wide as its choices; its list also has reasons for disabled ones.
    m_source->setMinimumContentsLength(static_cast<int>(longest));
    int widest = 0;
    for (int line = 0; line < m_source->count(); ++line)
        widest = std::max(widest, m_source->fontMetrics().horizontalAdvance(m_source->itemText(line)));
    constexpr int around = 40; // the mark of the current line, and a scroll bar
    m_source->view()->setMinimumWidth(widest + around);
    m_source->setCurrentIndex(std::max(0, m_source->findData(m_wanted)));
    m_source->setEnabled(m_source->count() > 0);
    m_thread->clear();
    m_thread->addItem(tr("All threads"), quint64{0});
    for (const auto& [thread, label] : offer.threads)
        m_thread->addItem(label, quint64{thread});
    requestRefreshAtOnce();
}

void StacksPanel::clear()
{
    m_lighting.cancel();
    m_before.reset();
    m_offering.cancel();
    m_job.cancel();
    m_source->clear();
    m_thread->clear();
    m_graph->setContent(nullptr);
    m_state->setWhole({});
}

QStringList StacksPanel::commandWords() const
{
    QStringList words;
    if (const QString source = m_source->currentData().toString(); !source.isEmpty())
        words << "--source" << source;
    if (const quint64 thread = m_thread->currentData().toULongLong(); thread != 0)
        words << "--thread" << QString::number(tidOf(GlobalId{thread}));
    if (m_callers->isChecked())
        words << "--callers";
    return words;
}

TimeTreeQuery StacksPanel::query() const
{
    TimeTreeQuery query;
    if (!m_session.time().selectedRange().empty())
        query.window = m_session.ownTime(m_session.time().judged());
    if (const quint64 thread = m_thread->currentData().toULongLong(); thread != 0)
        query.threads = {GlobalId{thread}};
    else
        query.threads = threadsOfSelection(m_session);
    return query;
}

bool StacksPanel::followsRows() const
{
    return m_thread->currentData().toULongLong() == 0 && !threadsOfSelection(m_session).empty();
}

void StacksPanel::showFollowed()
{
    m_notice->setFollowed({.rows = followsRows(), .otherwise = tr("The selected rows do not apply here.")});
}

void StacksPanel::light(std::uint32_t node)
{
    const TimeTreeSource* const source = chosen();
    if (node == noIndex || node == 0 || !source || !m_graph->content()) {
        m_lighting.cancel();
        if (m_before)
            mark(*std::exchange(m_before, std::nullopt));
        return;
    }
    m_markedRange = m_session.selection().markedRange();
    constexpr std::size_t most = 200'000; // more are indistinguishable on any screen
    m_lighting.start(
        [source, query = query(), path = m_graph->content()->tree.path(node),
            isTurned = m_callers->isChecked(), trace = m_session.sharedTrace()](const std::stop_token& stop) {
            TimeTreeQuery asked = query;
            asked.stop = stop;
            return eventsInStack(*trace, *source, asked, path, isTurned, most);
        },
        [this, report = m_session.report().id](std::vector<EventRef> events) {
            Selection::Highlighted lit;
            if (!events.empty())
                lit.events.emplace(report, std::move(events));
            Selection::Highlighted before = mark(std::move(lit));
            if (!m_before)
                m_before = std::move(before);
        });
}

Selection::Highlighted StacksPanel::mark(Selection::Highlighted next)
{
    m_isMarking = true;
    Selection::Highlighted before = m_session.selection().exchangeHighlights(std::move(next));
    m_isMarking = false;
    return before;
}

/// The threads of B's rows that play the part of those selected in A; none: all.
static std::vector<GlobalId> partnersOfSelection(RunPair& pair)
{
    std::vector<RowId> partners;
    for (const RowId row : pair.a().selection().selectedRows()) {
        if (const RowId partner = pair.partnerOf(Side::A, row); partner != RowTree::root)
            partners.push_back(partner);
    }
    return threadsOfRows(pair.b(), partners);
}

void StacksPanel::refresh()
{
    if (m_offering.isBusy() || !m_offering.failure().isEmpty())
        return; // the sources belong to the previous report, or are not known
    const TimeTreeSource* const source = chosen();
    if (!source) {
        m_graph->setContent(nullptr);
        m_state->setWhole(tr(
            "No stacks were recorded. Record with nsys profile --sample=process-tree, or add NVTX ranges to the program."));
        emit updated();
        return;
    }
    m_state->setWhole(tr("Computing\u2026"));
    RunPair& pair = m_session.pair();
    const auto other = pair.isOn() && !pair.isWithinOne() ? pair.b().sharedTrace() : nullptr;
    TimeTreeQuery ofOther; // its threads and times are others
    if (other && !m_session.time().selectedRange().empty())
        ofOther.window = pair.b().ownTime(pair.map().toB(m_session.time().selectedRange()));
    if (other)
        ofOther.threads = partnersOfSelection(pair);
    const auto work = [source, ofOther, query = query(), callers = m_callers->isChecked(),
                          trace = m_session.sharedTrace(), other](const std::stop_token& stop) {
        TimeTreeQuery asked = query;
        asked.stop = stop;
        const auto treeOf = [&](const Trace& of, const TimeTreeQuery& which) {
            TimeTree tree = source->fill(of, which);
            return callers ? callersFirst(tree, which.stop) : std::move(tree);
        };
        TimeTree tree = treeOf(*trace, asked);
        if (!other || !source->applies(*other))
            return flameContent(trace, std::move(tree), source->unit, stop);
        TimeTreeQuery askedOfOther = ofOther;
        askedOfOther.stop = stop;
        const TimeTree otherTree = treeOf(*other, askedOfOther);
        auto compared = compareTrees(*trace, tree, *other, otherTree);
        auto content = flameContent(trace, std::move(tree), source->unit, stop);
        content->compared = std::move(compared);
        content->otherTotal = otherTree.total();
        return content;
    };
    m_job.start(work, [this](std::shared_ptr<const FlameContent> content) {
        m_graph->setContent(std::move(content));
        tellMatches();
        emit updated();
    });
}

void StacksPanel::tellMatches()
{
    const auto& content = m_graph->content();
    if (!content)
        return;
    const std::int64_t found = m_graph->search(m_search->text());
    const std::int64_t all = content->tree.total();
    if (all == 0)
        m_state->setWhole(tr("No stacks in this range"));
    else if (m_search->text().isEmpty() && !content->compared.empty())
        m_state->setWhole(
            tr("%1; red: larger share in B, green: smaller share").arg(amountText(content->unit, all)));
    else if (m_search->text().isEmpty())
        m_state->setWhole(amountText(content->unit, all));
    else
        m_state->setWhole(tr("%1 of %2 match")
                              .arg(shareText(static_cast<double>(found) / static_cast<double>(all)),
                                  amountText(content->unit, all)));
}

extern const PanelKind stacksPanel;
const PanelKind stacksPanel{
    .id = "stacks",
    .title = QT_TRANSLATE_NOOP("Action", "Flame graph"),
    .help = QT_TRANSLATE_NOOP(
        "warpline::Panel", "Where time went by stacks: CPU samples, blocked calls, NVTX ranges, CUDA calls"),
    .place = PanelPlace::Below,
    .keys = "Ctrl+7",
    .make = makePanel<StacksPanel>,
};

} // namespace warpline
