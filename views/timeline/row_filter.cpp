#include "views/timeline/row_filter.h"

#include "core/base/message_names.h"
#include "core/query/counter_stats.h"
#include "core/render/render.h"
#include "core/store/trace.h"
#include "core/workspace/workspace.h"
#include "views/style/rich_text.h"

#include <QCoreApplication>
#include <QSettings>

#include <algorithm>
#include <string_view>

namespace warpline {

namespace {

constexpr int filterRestMs = 150; ///< rows must not come and go while the view moves
constexpr const char* mineKey = "rows/mine";

/// The shown label, which the filter searches.
QString labelOf(const Row& row)
{
    return plainTextOf(row.label);
}

QString labelIn(const char* language, const Row& row)
{
    return textOf(render(row.label, Markup::Plain, *findLanguage(language)));
}

/// Whether `row` is one of `mine`, see RowFilter::mine().
bool isAmong(const QStringList& mine, const Row& row)
{
    return !mine.isEmpty() && (mine.contains(labelIn("pseudo", row)) || mine.contains(labelIn("en", row)));
}

/// The key of `row` in the tree of its own report.
std::string_view ownKey(const Workspace& workspace, const Row& row)
{
    if (workspace.isOfAll(row.id))
        return {};
    const OpenReport& report = workspace.report(row.report);
    return report.rows->row(workspace.ownRow(row.id)).key;
}

bool holdsAny(std::string_view text, std::initializer_list<std::string_view> parts)
{
    std::string lower(text);
    std::ranges::transform(
        lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::ranges::any_of(
        parts, [&](std::string_view part) { return lower.find(part) != std::string::npos; });
}

/// How many lanes of `row`, from the outermost on, show something in `window` of its report's clock; a
/// counter has one, or none.
std::uint32_t lanesWithEvents(const Trace& trace, const Row& row, TimeRange window)
{
    if (row.counter != noIndex) {
        const auto figures = counterFigures(trace, row.counter, window);
        return figures && (figures->high != 0 || figures->low != 0) ? 1 : 0;
    }
    std::uint32_t deepest = 0;
    for (const TrackRef& ref : row.tracks) {
        const EventTable& table = trace.table(ref.kind);
        const auto lanes = table.lanesOf(table.tracks[ref.track]);
        for (std::uint32_t depth = static_cast<std::uint32_t>(lanes.size()); depth > deepest; --depth) {
            const auto [first, last] = table.touching(lanes[depth - 1], window);
            if (first < last)
                deepest = depth;
        }
    }
    return deepest;
}

bool holdsCollectives(const Trace& trace, const Row& row)
{
    // One kernel is enough: streams of communication run nothing else.
    return std::ranges::any_of(row.tracks, [&](const TrackRef& ref) {
        return ref.kind == EventKind::Kernel && row.drawing == Drawing::Slices
            && trace.track(ref).eventCount > 0
            && trace.displayName({ref.kind, trace.track(ref).firstEvent}).starts_with("nccl");
    });
}

} // namespace

std::vector<QString> rowPaths(const RowTree& rows, const QString& separator)
{
    constexpr qsizetype longest = 500;
    std::vector<QString> paths(rows.size());
    for (std::uint32_t i = 1; i < rows.size(); ++i) { // parents come before their children
        const Row& row = rows.row(RowId{i});
        const QString label = labelOf(row).left(longest);
        paths[i] = row.parent == RowTree::root ? label : paths[raw(row.parent)] + separator + label;
    }
    return paths;
}

QString titleOf(RowSet set)
{
    const auto words = [](const char* text) { return QCoreApplication::translate("Rows", text); };
    switch (set) {
    case RowSet::Compute:
        return words("Compute");
    case RowSet::Communication:
        return words("Communication");
    case RowSet::Host:
        return words("Host");
    case RowSet::Metrics:
        return words("Metrics");
    case RowSet::Mine:
        return words("My rows");
    case RowSet::All:
        break;
    }
    return words("All rows");
}

RowFilter::RowFilter(Session& session, QObject* parent)
    : QObject(parent),
      m_session(session)
{
    m_rest.setSingleShot(true);
    m_rest.setInterval(filterRestMs);
    connect(&m_rest, &QTimer::timeout, this, &RowFilter::askForView);
    connect(&session, &Session::traceChanged, this, [this] {
        m_inView.clear();
        m_inSpite.clear();
        judge(); // who shows the rows hears of the report, too
        if (m_onlyInView)
            askForView();
    });
    connect(&session, &Session::exchangesReplaced, this, [this] {
        std::erase_if(m_inSpite, [this](RowId row) { return m_session.workspace().isOfAll(row); });
        judge(); // who shows the rows hears of the new layout, too
    });
    connect(&session.rowView(), &RowView::rowLayoutChanged, this, [this] {
        if (m_passes.size() != m_session.rows().size()) // rows of exchanges came or went
            evaluate();
    });
    connect(&session.time(), &TimeView::shownChanged, this, [this] {
        if (m_onlyInView)
            m_rest.start();
    });
    connect(&session.rowView(), &RowView::revealed, this, &RowFilter::showInSpite);
    evaluate();
}

void RowFilter::setText(const QString& text)
{
    if (text == m_text)
        return;
    m_text = text;
    m_terms = RowTerms(text);
    m_inSpite.clear();
    evaluate();
}

void RowFilter::setSet(RowSet set)
{
    if (set == m_set)
        return;
    m_set = set;
    m_inSpite.clear();
    evaluate();
}

void RowFilter::setOnlyInView(bool only)
{
    if (only == m_onlyInView)
        return;
    m_onlyInView = only;
    m_inSpite.clear();
    m_inView.clear();
    if (!only)
        m_session.rowView().setLanesInView({});
    evaluate();
    if (only)
        askForView();
}

void RowFilter::setShowsIdleGpus(bool shown)
{
    if (shown == m_showsIdle)
        return;
    m_showsIdle = shown;
    evaluate();
}

void RowFilter::showInSpite(RowId row)
{
    bool isNew = false;
    for (RowId at = row; at != RowTree::root; at = m_session.rows().row(at).parent) {
        if (passes(at))
            continue;
        m_inSpite.push_back(at);
        isNew = true;
    }
    if (isNew)
        evaluate();
}

void RowFilter::askForView()
{
    m_viewJob.start(
        [workspace = m_session.workspace(), shown = m_session.time().shown()](const std::stop_token& stop) {
            const RowTree& rows = workspace.rows();
            std::vector<std::uint32_t> inView(rows.size(), 1);
            for (std::uint32_t i = 1; i < rows.size() && !stop.stop_requested(); ++i) {
                const Row& row = rows.row(RowId{i});
                if (workspace.isOfAll(row.id) || (row.tracks.empty() && row.counter == noIndex)) {
                    inView[i] = workspace.isOfAll(row.id) ? 1 : 0; // a heading counts with the rows below it
                    continue;
                }
                const OpenReport& report = workspace.report(row.report);
                inView[i] = lanesWithEvents(*report.trace, row, report.clock.toReport(shown));
            }
            return inView;
        },
        [this](std::vector<std::uint32_t> inView) {
            if (!m_onlyInView || inView == m_inView)
                return;
            m_inView = std::move(inView);
            m_session.rowView().setLanesInView(m_inView);
            evaluate();
        });
}

bool RowFilter::isOfSet(RowId id) const
{
    const Workspace& workspace = m_session.workspace();
    const Row& row = m_session.rows().row(id);
    const std::string_view key = ownKey(workspace, row);
    switch (m_set) {
    case RowSet::Compute:
        return key.starts_with("cuda-hw:");
    case RowSet::Communication:
        return workspace.isOfAll(id)
            || std::ranges::any_of(namesIn(row.label),
                [](std::string_view name) {
                    return holdsAny(name, {"nccl", "mpi", "ucx", "nvshmem", "network", "communicat"});
                })
            || holdsAny(key, {"network", "mpi", "nccl"})
            || (!row.tracks.empty() && holdsCollectives(workspace.trace(row.report), row));
    case RowSet::Host:
        return key.starts_with("process:") || key.starts_with("cpu");
    case RowSet::Metrics:
        return row.counter != noIndex;
    case RowSet::Mine:
    case RowSet::All:
        break;
    }
    return true;
}

bool RowFilter::isIdleGpu(RowId id) const
{
    const Workspace& workspace = m_session.workspace();
    const Row& row = m_session.rows().row(id);
    const std::string_view key = ownKey(workspace, row);
    if (!key.starts_with("cuda-hw:") || key.find('/') != std::string_view::npos)
        return false;
    return std::ranges::none_of(
        m_session.rows().tracksBelow(id), [](const TrackRef& ref) { return isGpuWork(ref.kind); });
}

void RowFilter::evaluate()
{
    judge();
    emit changed();
}

void RowFilter::judge()
{
    const RowTree& rows = m_session.rows();
    const std::size_t count = rows.size();
    const QStringList ours = m_set == RowSet::Mine ? mine() : QStringList();
    std::vector<bool> idle(count, false);
    m_idleCount = 0;
    std::size_t gpus = 0;
    for (std::uint32_t i = 1; i < count; ++i) {
        idle[i] = isIdleGpu(RowId{i});
        m_idleCount += idle[i] ? 1 : 0;
        const std::string_view key = ownKey(m_session.workspace(), rows.row(RowId{i}));
        gpus += key.starts_with("cuda-hw:") && key.find('/') == std::string_view::npos ? 1 : 0;
    }
    if (static_cast<std::size_t>(m_idleCount) == gpus) { // there is nothing else to see
        idle.assign(count, false);
        m_idleCount = 0;
    }
    m_passes.assign(count, true);
    m_opens.assign(count, false);
    m_found.assign(count, false);
    // Parents come before their children, which inherit the result.
    const std::vector<QString> paths = m_terms.isEmpty() ? std::vector<QString>() : rowPaths(rows, " ");
    std::vector<bool> isMineHere(count, false);
    for (std::uint32_t i = 1; i < count; ++i) {
        const Row& row = rows.row(RowId{i});
        const std::size_t above = raw(row.parent);
        isMineHere[i] = isMineHere[above] || isAmong(ours, row);
        const bool isOfIt = m_set == RowSet::Mine ? isMineHere[i] : isOfSet(RowId{i});
        m_found[i] = m_terms.isEmpty() || m_terms.accepts(paths[i]);
        const bool inView = !m_onlyInView || i >= m_inView.size() || m_inView[i] > 0;
        idle[i] = idle[i] || idle[above];
        m_passes[i] = m_found[i] && isOfIt && inView && !(idle[i] && !m_showsIdle);
    }
    for (const RowId row : m_inSpite)
        m_passes[raw(row)] = true;
    // A heading disappears when all rows below it do.
    const bool narrows = !m_terms.isEmpty() || m_set != RowSet::All || m_onlyInView;
    std::vector<bool> holds(count, false);
    for (std::size_t i = count; i-- > 1;) {
        const Row& row = rows.row(RowId{static_cast<std::uint32_t>(i)});
        if (narrows && row.drawing == Drawing::Header && !row.children.empty() && !holds[i])
            m_passes[i] = std::ranges::find(m_inSpite, row.id) != m_inSpite.end();
        else if (holds[i] && !m_passes[i]) {
            m_passes[i] = true;
            m_opens[i] = !m_terms.isEmpty() || m_set != RowSet::All; // the matching rows are below it
        }
        if (m_passes[i])
            holds[raw(row.parent)] = true;
    }
    m_leftOut = 0;
    for (std::uint32_t i = 1; i < count; ++i)
        m_leftOut += !m_passes[i] && m_passes[raw(rows.row(RowId{i}).parent)] && !idle[i] ? 1 : 0;
}

int RowFilter::pinMatching()
{
    constexpr int most = 24;
    int pinned = 0;
    if (m_terms.isEmpty())
        return 0;
    const RowTree& rows = m_session.rows();
    for (std::uint32_t i = 1; i < rows.size() && pinned < most; ++i) {
        const RowId id{i};
        const Row& row = rows.row(id);
        // Rows that draw something, found by their own label and not by that of a heading above.
        if (row.drawing == Drawing::Header || !m_found[i] || !passes(id) || m_session.rowView().isPinned(id))
            continue;
        if (m_found[raw(row.parent)])
            continue;
        m_session.rowView().setPinned(id, true);
        ++pinned;
    }
    return pinned;
}

namespace {

std::optional<QStringList>& rowsOfView()
{
    static std::optional<QStringList> labels;
    return labels;
}

} // namespace

QStringList RowFilter::mine()
{
    return rowsOfView() ? *rowsOfView() : QSettings().value(mineKey).toStringList();
}

void RowFilter::setMineOfView(const std::optional<QStringList>& rows)
{
    rowsOfView() = rows;
}

std::optional<QStringList> RowFilter::mineOfView()
{
    return rowsOfView();
}

bool RowFilter::isMine(const Row& row)
{
    return isAmong(mine(), row);
}

QStringList RowFilter::mineHere() const
{
    const QStringList all = mine();
    QStringList here;
    for (const RowId row : all.isEmpty() ? std::vector<RowId>() : m_session.rows().subtree(RowTree::root)) {
        const Row& each = m_session.rows().row(row);
        if (isAmong(all, each) && !here.contains(labelIn("pseudo", each)))
            here << labelIn("pseudo", each);
    }
    return here;
}

void RowFilter::setMine(const Row& row, bool isMine)
{
    QStringList rows = mine();
    for (const char* const language : {"pseudo", "en"})
        rows.removeAll(labelIn(language, row));
    if (isMine)
        rows << labelIn("pseudo", row);
    if (rowsOfView())
        rowsOfView() = rows; // a shared view's list does not become the user's own
    else
        QSettings().setValue(mineKey, rows);
}

void RowFilter::mineChanged()
{
    if (m_set == RowSet::Mine)
        evaluate();
}

} // namespace warpline
