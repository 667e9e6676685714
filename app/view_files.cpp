#include "app/view_files.h"

#include "app/report_list.h"
#include "app/start_page.h"
#include "core/base/file_wait.h"
#include "core/base/format.h"
#include "core/handover/view_file.h"
#include "core/overview/program_name.h"
#include "core/workspace/row_pairs.h"
#include "views/loading/moment.h"
#include "views/session/marks.h"
#include "views/session/result_rows.h"
#include "views/session/rule_settings.h"
#include "views/session/run_pair.h"
#include "views/session/saved_view.h"
#include "views/session/session.h"
#include "views/style/color_choice.h"
#include "views/style/counter_scale.h"
#include "views/style/drawing_settings.h"
#include "views/style/rich_text.h"
#include "views/timeline/row_filter.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <utility>

namespace warpline {

namespace {

QByteArray hashOf(const std::string& bytes)
{
    return QCryptographicHash::hash(
        QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())), QCryptographicHash::Sha256)
        .toHex();
}

/// The folder for views of the bundled report, whose own folder belongs to the program.
QString folderForSample()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + "/warpline";
}

QString pathFor(const std::vector<std::string>& paths)
{
    const QString beside = QString::fromStdString(viewPathFor(paths));
    const QString sample = StartPage::samplePath();
    const QFileInfo first(QString::fromStdString(paths.empty() ? std::string() : paths.front()));
    const bool isOfSample = !sample.isEmpty() && first.fileName() == QFileInfo(sample).fileName()
        && first.canonicalFilePath() == sample; // asks the disk, which may hang: only for such a name
    return isOfSample ? folderForSample() + '/' + QFileInfo(beside).fileName() : beside;
}

/// The hash of the file at `path`; empty when there is none that can be read.
QByteArray hashAt(const QString& path)
{
    const auto bytes = readViewFile(path.toStdString());
    return bytes.ok() ? hashOf(bytes.value()) : QByteArray();
}

/// Of those in `workspace`; empty while `reports` are others.
std::vector<std::string> pathsOf(const Workspace& workspace, const ReportList& reports)
{
    std::vector<std::string> paths;
    for (const OpenReport& each : workspace.reports()) {
        if (const auto place = reports.placeOf(each.id))
            paths.push_back(reports.reports()[*place].path.toStdString());
    }
    return paths;
}

/// Whether `view`, the one at `path`, is of another report next to it than `first`: decode.warpline belongs
/// to decode.sqlite or to decode.json.gz.
bool isOfNeighbor(
    const SavedView& view, const QString& path, const std::string& first, const std::stop_token& stop)
{
    const std::vector<std::string> found = reportsOfView(path.toStdString(), view, stop);
    const QFileInfo file(QString::fromStdString(found.empty() ? std::string() : found.front()));
    return !found.empty() && file.fileName() != QFileInfo(QString::fromStdString(first)).fileName()
        && static_cast<std::uint64_t>(file.size()) == view.reports.front().bytes;
}

/// All that are listed and not left out, loaded or not.
QStringList includedIn(const ReportList& reports)
{
    QStringList paths;
    for (const ListedReport& each : reports.reports()) {
        if (each.choices.isIncluded)
            paths << each.path;
    }
    return paths;
}

std::vector<std::weak_ptr<const Trace>> tracesOf(const Workspace& workspace)
{
    std::vector<std::weak_ptr<const Trace>> traces;
    for (const OpenReport& report : workspace.reports())
        traces.emplace_back(report.trace);
    return traces;
}

bool areTracesOf(const std::vector<std::weak_ptr<const Trace>>& traces, const Workspace& workspace)
{
    return std::ranges::equal(
        traces, workspace.reports(), {}, [](const std::weak_ptr<const Trace>& trace) { return trace.lock(); },
        &OpenReport::trace);
}

/// The SQL rows of `session` whose reports `shown` has, the last workspace that `reports` signalled.
std::vector<RowOfReport> rowsIn(const Session& session, const ReportList& reports, const Workspace& shown)
{
    std::vector<RowOfReport> rows;
    for (AskedRow& row : session.results().asked()) {
        const OpenReport* const report = shown.find(session.workspace().report(row.report).trace);
        const auto place = report ? reports.placeOf(report->id) : std::nullopt;
        if (place && !row.sql.isEmpty())
            rows.push_back({reports.reports()[*place].path, std::move(row)});
    }
    return rows;
}

/// All SQL rows of `session`, which shows the reports at `paths`.
std::vector<RowOfReport> rowsAt(const std::vector<std::string>& paths, const Session& session)
{
    const auto& shown = session.workspace().reports();
    std::vector<RowOfReport> rows;
    for (AskedRow& row : session.results().asked()) {
        const auto place
            = static_cast<std::size_t>(std::ranges::find(shown, row.report, &OpenReport::id) - shown.begin());
        if (place < paths.size() && !row.sql.isEmpty())
            rows.push_back({QString::fromStdString(paths[place]), std::move(row)});
    }
    return rows;
}

/// All SQL rows of `session`, which shows `reports`.
std::vector<RowOfReport> rowsIn(const Session& session, const ReportList& reports)
{
    return rowsAt(pathsOf(session.workspace(), reports), session);
}

/// Whether `rows` has `row`, maybe of another height.
bool hasRow(const std::vector<RowOfReport>& rows, const RowOfReport& row)
{
    return std::ranges::any_of(
        rows, [&row](const RowOfReport& each) { return each.path == row.path && each.row.isAlike(row.row); });
}

/// Adds those of `rows` that `session`, which shows `reports`, lacks.
void addRows(const std::vector<RowOfReport>& rows, Session& session, const ReportList& reports)
{
    const std::vector<RowOfReport> there = rowsIn(session, reports);
    const std::vector<std::string> paths = pathsOf(session.workspace(), reports);
    std::vector<AskedRow> all = session.results().asked();
    const std::size_t before = all.size();
    for (const RowOfReport& each : rows) {
        const auto found = std::ranges::find(paths, each.path.toStdString());
        if (found == paths.end() || hasRow(there, each))
            continue;
        all.push_back(each.row);
        all.back().report = session.workspace().reports()[static_cast<std::size_t>(found - paths.begin())].id;
    }
    if (all.size() > before)
        session.results().restore(all);
}

bool hasGpuWorkIn(const Workspace& workspace, TimeRange range)
{
    return std::ranges::any_of(workspace.reports(), [range](const OpenReport& report) {
        return std::ranges::any_of(gpuWorkKinds, [&](EventKind kind) {
            const EventTable& table = report.trace->table(kind);
            return std::ranges::any_of(table.lanes, [&](const Lane& lane) {
                const auto [first, last] = table.touching(lane, report.clock.toReport(range));
                return first != last;
            });
        });
    });
}

} // namespace

ViewFiles::ViewFiles(Session& session, ReportList& reports, const ReportList& others, QObject* parent)
    : QObject(parent),
      m_session(session),
      m_reports(reports),
      m_others(others)
{
    connect(&m_session.results(), &ResultRows::failed, this, &ViewFiles::failed);
}

void ViewFiles::forget()
{
    m_hidden.clear();
    forgetView();
}

void ViewFiles::forgetView()
{
    m_reading.abandon();
    m_of.clear();
    m_kept.reset();
    m_keptOfB.reset();
    m_later.clear();
    m_ofFiles.clear();
    m_path.clear();
    m_hash.clear();
    RuleSettings::setOfView({});
    RowFilter::setMineOfView({});
    if (m_rowFilter && std::exchange(m_filtersRows, false))
        applyRowFilter(*m_rowFilter, {});
    DrawingSettings::setOfView({});
}

bool ViewFiles::leave(const Workspace& next)
{
    const std::vector<ListedReport>& listed = m_reports.reports();
    std::erase_if(m_hidden, [&listed](const RowOfReport& each) { // their report was removed
        return std::ranges::find(listed, each.path, &ListedReport::path) == listed.end();
    });
    for (AskedRow& row : m_session.results().asked()) {
        const auto& trace = m_session.workspace().report(row.report).trace;
        const auto found = std::ranges::find(
            listed, trace, [](const ListedReport& report) { return report.report.trace; });
        if (found != listed.end() && !next.find(trace) && !row.sql.isEmpty())
            m_hidden.push_back({found->path, std::move(row)});
    }
    const auto isIn = [&next](const std::weak_ptr<const Trace>& trace) { return next.find(trace.lock()); };
    const bool isLeft = next.isEmpty() ? m_reports.isEmpty() // else those that are unchecked may come back
                                       : !m_of.empty() && std::ranges::none_of(m_of, isIn);
    if (isLeft) {
        std::vector<RowOfReport> rows = withoutThoseOfFiles(rowsIn(m_session, m_reports, next));
        forgetView();
        addLater(std::move(rows)); // the view of their report may lack them
    }
    return isLeft;
}

void ViewFiles::showHidden()
{
    const std::vector<std::string> paths = pathsOf(m_session.workspace(), m_reports);
    const auto shown = std::ranges::stable_partition(m_hidden, [&paths](const RowOfReport& each) {
        return std::ranges::find(paths, each.path.toStdString()) == paths.end();
    });
    std::vector<RowOfReport> rows(shown.begin(), shown.end());
    m_hidden.erase(shown.begin(), shown.end());
    if (m_of.empty()) // their view is still to be applied
        std::ranges::move(rows, std::back_inserter(m_later));
    else
        addRows(rows, m_session, m_reports);
}

std::optional<ViewFiles::Kept> ViewFiles::keptOf(const Session& session) const
{
    if (!session.workspace().isComplete())
        return std::nullopt;
    Kept kept{viewOf(session), session.marks().kept(), session.time().shown() == session.session(),
        hasGpuWorkIn(session.workspace(), session.time().shown()), false, {},
        session.selection().currentEvent(), programOf(*session.workspace().reports().front().trace), {}, {},
        {}, {}, {}, false};
    for (const OpenReport& report : session.workspace().reports())
        kept.rows.push_back(report.rows);
    return kept;
}

std::optional<ViewFiles::Kept> ViewFiles::keptForB(const Session& session, const ReportList& list) const
{
    auto kept = keptOf(session);
    if (kept) {
        kept->rows.clear(); // restoreB() does not need them, and it may never come to that
        kept->asked = rowsIn(session, list);
        kept->paths = includedIn(list);
        kept->shownPaths = pathsOf(session.workspace(), list);
    }
    return kept;
}

std::function<void()> ViewFiles::reloaded()
{
    const RunPair& pair = m_session.pair();
    return [this, of = includedIn(m_reports), shownPaths = pathsOf(m_session.workspace(), m_reports),
               compared = pair.isOn() ? keptOf(m_session) : std::nullopt] {
        if (!m_of.empty() && !isOfThese())
            m_hash.clear(); // the file is of others, also when these are there again
        const bool isRead = !m_reading.isBusy(); // else their file is still to be applied
        if (auto kept = isRead ? keptOf(m_session) : std::nullopt) {
            m_kept = compared ? compared : kept; // with the rows and marks of now
            m_kept->view.answers = std::move(kept->view.answers);
            m_kept->marks = std::move(kept->marks);
            m_kept->asked = rowsAt(shownPaths, m_session);
            m_kept->shownPaths = shownPaths;
        } else if (!m_kept) { // else they are reloaded again before they were there
            const QString named = m_of.empty() || !isRead ? m_path : QString(); // not yet applied
            auto ofB = std::move(m_keptOfB);
            forget();
            use(named);
            m_keptOfB = std::move(ofB);
            return;
        }
        m_reading.abandon();
        m_of.clear();
        m_kept->paths = of;
    };
}

void ViewFiles::keepB()
{
    RunPair& pair = m_session.pair();
    if (!pair.isOn() || pair.isWithinOne()) {
        m_keptOfB.reset();
    } else if (auto kept = keptForB(pair.b(), m_others)) {
        kept->of = tracesOf(pair.b().workspace());
        m_keptOfB = std::move(kept);
    }
}

void ViewFiles::keepMarksOfB()
{
    RunPair& pair = m_session.pair();
    if (!m_keptOfB)
        return;
    if (pair.isOn() && areTracesOf(m_keptOfB->of, pair.b().workspace())) { // else of a swap, or of a part
        m_keptOfB->marks = pair.b().marks().kept();
        m_keptOfB->asked = rowsAt(m_keptOfB->shownPaths, pair.b());
    }
    m_keptOfB->isReplaced = true;
}

ViewFiles::FileOfRun ViewFiles::fileOfB() const
{
    const bool isOther = !m_others.isEmpty() && m_fileOfB.paths != includedIn(m_others);
    return isOther ? FileOfRun() : m_fileOfB;
}

void ViewFiles::useForB(const QString& path)
{
    m_fileOfB = {path, {}, includedIn(m_others)};
}

std::function<void()> ViewFiles::swapped()
{
    const Session& b = m_session.pair().b();
    auto ofA = keptForB(m_session, m_reports);
    auto ofB = ofA ? keptOf(b) : std::nullopt;
    const FileOfRun fileOfB = this->fileOfB();
    if (ofB) {
        ofB->isOfOtherRun = true;
        ofB->choices = fileOfB.choices;
        ofB->asked = rowsIn(b, m_others);
    }
    const FileOfRun fileOfA = isOfThese() ? FileOfRun{m_path, choices(), includedIn(m_reports)} : FileOfRun();
    return [this, ofB = std::move(ofB), ofA = std::move(ofA), path = fileOfB.path, fileOfA] {
        auto ofFiles = std::move(m_ofFiles);
        forget();
        m_ofFiles = std::move(ofFiles);
        m_path = path;
        m_fileOfB = fileOfA;
        m_kept = ofB;
        if (m_kept)
            m_kept->paths = includedIn(m_reports);
        m_keptOfB = ofA;
    };
}

std::function<void()> ViewFiles::returning()
{
    auto kept = m_reports.isLoading() ? std::nullopt : keptOf(m_session); // else it is of those before
    if (kept) {
        kept->isOfOtherRun = true;
        kept->choices = choices();
        kept->asked = rowsIn(m_session, m_reports);
        kept->paths = includedIn(m_reports);
    }
    return [this, kept = std::move(kept)] {
        forget();
        m_kept = kept;
    };
}

std::vector<RowOfReport> ViewFiles::rowsAdded(const Session& side, const ReportList& list) const
{
    return withoutThoseOfFiles(rowsIn(side, list));
}

std::vector<RowOfReport> ViewFiles::withoutThoseOfFiles(std::vector<RowOfReport> rows) const
{
    std::erase_if(rows, [this](const RowOfReport& each) { return hasRow(m_ofFiles, each); });
    return rows;
}

QString ViewFiles::path() const
{
    return m_path.isEmpty() ? pathFor(pathsOf(m_session.workspace(), m_reports)) : m_path;
}

void ViewFiles::choose(const QString& path)
{
    m_path.clear();
    if (path != this->path()) // else it follows the reports
        m_path = path;
}

bool ViewFiles::isOfThese() const
{
    return !m_hash.isEmpty() && areTracesOf(m_of, m_session.workspace());
}

bool ViewFiles::Kept::isOf(const ReportList& list, const Session& session) const
{
    return paths == includedIn(list) && view.reports.size() == session.workspace().reports().size();
}

bool ViewFiles::Kept::isOfFirst(const ReportList& list, const Session& session) const
{
    const std::vector<std::string> now = pathsOf(session.workspace(), list);
    return !now.empty() && !shownPaths.empty() && now.front() == shownPaths.front();
}

bool ViewFiles::isBack() const
{
    return m_kept && m_kept->isOfOtherRun && m_kept->isOf(m_reports, m_session)
        && isViewOf(m_kept->view, m_session.workspace());
}

void ViewFiles::apply()
{
    restoreB();
    if (!m_of.empty() || !m_session.workspace().isComplete())
        return;
    if (m_kept && !m_kept->isOf(m_reports, m_session)) { // some were added, or removed before they came
        const Kept kept = *std::exchange(m_kept, {});
        std::vector<RowOfReport> rows = kept.asked;
        std::ranges::move(m_later, std::back_inserter(rows));
        forgetView(); // path, hash and thresholds are of all of them
        if (!kept.isOfOtherRun && kept.isOfFirst(m_reports, m_session))
            restoreMarks(m_session, kept);
        const QStringList included = includedIn(m_reports);
        const auto hidden = std::ranges::stable_partition(
            rows, [&included](const RowOfReport& each) { return included.contains(each.path); });
        std::ranges::move(hidden, std::back_inserter(m_hidden)); // they were unchecked while others were read
        rows.erase(hidden.begin(), hidden.end());
        m_later = std::move(rows);
        emit thresholdsChanged();
    }
    m_of = tracesOf(m_session.workspace());
    if (m_kept && !m_kept->isOfOtherRun) {
        applyKept(*std::exchange(m_kept, {}));
        addRows(std::exchange(m_later, {}), m_session, m_reports);
        return;
    }
    const bool isWanted = !m_path.isEmpty();
    const auto isLate = std::make_shared<bool>(false);
    std::vector<TimeRange> sessions;
    for (const OpenReport& report : m_session.workspace().reports())
        sessions.push_back(report.trace->session);
    const std::vector<std::string> paths = pathsOf(m_session.workspace(), m_reports);
    nowOrLater(
        m_reading,
        [path = path(), isWanted, sessions, paths](const std::stop_token& stop) {
            auto read = readAt(path, isWanted);
            const bool isForeign = !isWanted && read && read->view.ok()
                && !std::ranges::equal(read->view.value().reports, sessions, {}, &ReportMeasure::session);
            return isForeign && !paths.empty() && isOfNeighbor(read->view.value(), path, paths.front(), stop)
                ? std::nullopt
                : read;
        },
        [this, path = path(), isLate](const std::optional<ReadView>& read) {
            if (read)
                take(*read, path);
            if (m_kept) // of the rows as they were shown
                applyKept(*std::exchange(m_kept, {}));
            addRows(std::exchange(m_later, {}), m_session, m_reports);
            if (*isLate)
                emit appliedLate();
        });
    *isLate = true;
}

void ViewFiles::restoreB()
{
    RunPair& pair = m_session.pair();
    if (!m_keptOfB || !pair.isOn() || m_others.isLoading() || !pair.b().workspace().isComplete())
        return;
    const Kept kept = *std::exchange(m_keptOfB, {});
    Session& b = pair.b();
    if (!kept.isReplaced && areTracesOf(kept.of, b.workspace()))
        return; // it was not read again, and the user may have changed it
    const bool isOf = kept.isOf(m_others, b); // else one more can be read, or one was removed
    if ((isOf || kept.isOfFirst(m_others, b)) && !restoreMarks(b, kept))
        m_fileOfB.choices.file.clear();
    addRows(kept.asked, b, m_others);
    if (!isOf)
        return;
    const bool isSelected // by the user, or it stayed: B could not be read again
        = b.selection().currentEvent().valid() || !b.selection().selectedRows().empty()
        || !b.time().selectedRange().empty();
    if (isSelected || !isViewOf(kept.view, b.workspace())) // or it is another recording
        return;
    selectAsIn(b, kept.view);
    b.selection().setCurrentEvent(kept.current);
}

void ViewFiles::applyKept(Kept kept)
{
    const Workspace& now = m_session.workspace();
    SavedView& view = kept.view;
    if (view.reports.size() == now.reports().size()) { // else its numbers of reports are of others
        const bool isSame = isViewOf(view, now);
        if (!isSame)
            adapt(kept);
        applyClocks(view);
        view.shown = view.shown.clippedTo(m_session.session());
        if (kept.showsAll || view.shown.empty() || (kept.showsGpuWork && !hasGpuWorkIn(now, view.shown)))
            view.shown = m_session.session(); // the old range may be idle in another recording
        if (kept.isOfOtherRun && kept.choices.file != m_hash) { // it lacks what the file has
            std::ranges::move(rowsIn(m_session, m_reports), std::back_inserter(m_later));
            if (view.steps.empty())
                view.steps = m_session.judgement().stepGlob();
            if (view.search.empty())
                view.search = m_session.selection().searchText().toStdString();
        }
        restore(kept.choices);
        applyView(m_session, view);
        if (isSame && kept.isOfOtherRun) {
            m_session.selection().setCurrentEvent(kept.current);
            applyFilter(m_session, view.filter); // of the report of that event
        }
        if (!kept.isOfOtherRun && !restoreMarks(m_session, kept))
            m_hash.clear();
    }
}

bool ViewFiles::restoreMarks(Session& session, const Kept& kept)
{
    const std::string program = programOf(*session.workspace().reports().front().trace);
    const bool isSame = isViewOf(kept.view, session.workspace());
    const bool isOfOtherProgram
        = !isSame && program != kept.program && !program.empty() && !kept.program.empty();
    if (isOfOtherProgram && kept.marks != Marks::Kept()) {
        const bool isInFile = !kept.marks.isChanged() && !kept.marks.filePath.isEmpty();
        emit noticed(tr(
            "The report is now of another program. The bookmarks and notes of the one before are kept in %1.")
                         .arg(isInFile ? kept.marks.filePath : QSettings().fileName()));
    }
    if (isOfOtherProgram || session.marks().hadStored()) // of the same recording they are stored
        return isSame;
    session.marks().restore(merged({}, session.marks().kept(), kept.marks));
    return true;
}

void ViewFiles::adapt(Kept& kept) const
{
    // Another recording numbers processes, threads and tracks differently.
    dropPlaces(kept.view.filter);
    const auto& reports = m_session.workspace().reports();
    std::map<std::string, std::string> names;
    for (std::size_t i = 0; i < reports.size(); ++i) {
        const std::string below = reports.size() > 1 ? "#" + std::to_string(i) + "/" : std::string();
        for (const auto& [before, now] : alikeKeys(*kept.rows[i], *reports[i].rows))
            names[below + before] = below + now;
    }
    renameRows(kept.view, names);
}

std::optional<ReadView> ViewFiles::readAt(const QString& path, bool isWanted)
{
    const FileWait wait(path.toStdString());
    if (!isWanted && !QFileInfo::exists(path))
        return std::nullopt;
    const auto bytes = readViewFile(path.toStdString());
    if (!bytes.ok())
        return ReadView{{}, bytes.error()};
    const std::string name = QFileInfo(path).fileName().toStdString();
    // A set of reports has the same ending, and is no view that is broken.
    if (!isWanted && parseReportSet(bytes.value(), {}, name).ok())
        return std::nullopt;
    return ReadView{hashOf(bytes.value()), parseView(bytes.value(), name)};
}

bool ReadView::isView() const
{
    return view.ok() || view.error().message.key() == "file.newer";
}

bool ViewFiles::open(const QString& path, const ReadView& read)
{
    const Workspace& now = m_session.workspace();
    if (m_of.empty() || !now.isComplete() || (read.view.ok() && !isViewOf(read.view.value(), now)))
        return false;
    if (read.view.ok()) { // else their own is still read
        m_reading.abandon(); // their own view, which this one replaces
        m_kept.reset();
        m_of = tracesOf(now);
    }
    take(read, path);
    emit appliedLate();
    return true;
}

void ViewFiles::take(const ReadView& read, const QString& path)
{
    const Result<SavedView>& view = read.view;
    if (!view.ok()) {
        const QString problem = plainTextOf(view.error().message);
        emit failed(read.hash.isEmpty() ? problem : tr("%1 The file is unchanged.").arg(problem));
        return;
    }
    if (!isViewOf(view.value(), m_session.workspace())) {
        emit failed(tr("%1 The file is unchanged.").arg(ofOtherReports(view.value(), path)));
        return;
    }
    m_hash = read.hash;
    choose(path);
    const SavedView& shown = view.value();
    if (shown.thresholds != RuleSettings::changed()) {
        RuleSettings::setOfView(shown.thresholds);
        emit thresholdsChanged();
    }
    applyClocks(shown);
    applyView(m_session, shown);
    const std::vector<std::string> paths = pathsOf(m_session.workspace(), m_reports);
    std::erase_if(m_ofFiles, [&paths](const RowOfReport& each) { // of their view before
        return std::ranges::find(paths, each.path.toStdString()) != paths.end();
    });
    std::ranges::move(rowsIn(m_session, m_reports), std::back_inserter(m_ofFiles));
    RowFilter::setMineOfView({}); // those of a view before
    if (m_rowFilter) {
        m_rowFilter->mineChanged();
        applyRowFilter(*m_rowFilter, shown.rowFilter);
    }
    m_filtersRows = shown.rowFilter != RowFilterOfView();
    if (shown.drawing)
        draw(*shown.drawing);
    m_session.marks().readFile(path, shown.marks, QString::fromStdString(shown.notes));
    emit said(tr("Opened the view in %1").arg(QFileInfo(path).fileName()));
}

ChoicesOfView ViewFiles::choices() const
{
    ChoicesOfView choices{
        m_hash, RuleSettings::ofView(), DrawingSettings::ofView(), RowFilter::mineOfView(), {}};
    if (m_rowFilter)
        choices.rowFilter = rowFilterOf(*m_rowFilter);
    choices.rowFilter.mine.clear();
    return choices;
}

void ViewFiles::restore(const ChoicesOfView& choices)
{
    if (m_hash.isEmpty() || choices.file != m_hash)
        return;
    if (choices.thresholds != RuleSettings::ofView()) {
        RuleSettings::setOfView(choices.thresholds);
        emit thresholdsChanged();
    }
    DrawingSettings::setOfView(choices.drawing);
    RowFilter::setMineOfView(choices.mine);
    if (m_rowFilter) {
        m_rowFilter->mineChanged();
        applyRowFilter(*m_rowFilter, choices.rowFilter);
    }
}

void ViewFiles::applyClocks(const SavedView& view)
{
    if (view.reports.size() < 2)
        return;
    std::map<std::size_t, ReportChoices> changed;
    for (std::size_t i = 0; i < view.reports.size(); ++i) {
        const auto place = m_reports.placeOf(m_session.workspace().reports()[i].id);
        if (!place)
            return;
        ReportChoices& choices = changed[*place] = m_reports.reports()[*place].choices;
        choices.offset = view.reports[i].offset;
    }
    m_reports.change(std::move(changed));
}

namespace {

/// Names of sets of rows in files.
constexpr std::array<std::pair<RowSet, const char*>, 5> rowSets{
    {{RowSet::Compute, "compute"}, {RowSet::Communication, "communication"}, {RowSet::Host, "host"},
        {RowSet::Metrics, "metrics"}, {RowSet::Mine, "mine"}}};
constexpr std::array<std::pair<CounterBase, const char*>, 3> counterBases{
    {{CounterBase::Zero, "zero"}, {CounterBase::Lowest, "lowest"}, {CounterBase::Log, "log"}}};

} // namespace

RowFilterOfView rowFilterOf(const RowFilter& filter)
{
    RowFilterOfView kept{filter.text().toStdString(), {}, filter.onlyInView(), filter.showsIdleGpus(), {}};
    for (const QString& label : filter.mineHere())
        kept.mine.push_back(label.toStdString());
    for (const auto& [set, name] : rowSets)
        kept.set = set == filter.set() ? name : kept.set;
    return kept;
}

void applyRowFilter(RowFilter& filter, const RowFilterOfView& wanted)
{
    RowSet asked = RowSet::All;
    for (const auto& [set, name] : rowSets)
        asked = wanted.set == name ? set : asked;
    if (!wanted.mine.empty()) {
        QStringList labels;
        for (const std::string& label : wanted.mine)
            labels << QString::fromStdString(label);
        RowFilter::setMineOfView(labels);
        filter.mineChanged();
    }
    filter.setText(QString::fromStdString(wanted.text));
    filter.setSet(asked);
    filter.setOnlyInView(wanted.onlyInView);
    filter.setShowsIdleGpus(wanted.showsIdleGpus);
}

DrawingOfView ViewFiles::drawing()
{
    const ColorChoice& colors = ColorChoice::shared();
    const CounterChoice& counters = CounterChoice::shared();
    DrawingOfView now{keyOf(colors.by()).toStdString(), colors.usesOwnNvtxColors(), {}, counters.isOfView(),
        counters.isShared()};
    for (const auto& [base, name] : counterBases)
        now.counterBase = base == counters.base() ? name : now.counterBase;
    return now;
}

void ViewFiles::draw(const DrawingOfView& wanted)
{
    QVariantMap values{{"colors/ownNvtx", wanted.ownNvtxColors}, {"counters/ofView", wanted.countersOfView},
        {"counters/shared", wanted.countersShared}};
    for (const ColorBy by : allColorings) {
        if (keyOf(by).toStdString() == wanted.colorBy)
            values["colors/by"] = keyOf(by);
    }
    for (const auto& [base, name] : counterBases) {
        if (wanted.counterBase == name)
            values["counters/base"] = name;
    }
    DrawingSettings::setOfView(values);
}

ViewFiles::Outcome ViewFiles::saveTo(const QString& path, bool force)
{
    // The list has none but those that are being opened, not all of them is there, or their view is not read.
    if (path.isEmpty() || !m_session.hasReport() || m_of.empty() || (!force && m_reading.isBusy())) {
        const bool isCutOff = m_session.hasReport() && !m_reports.isLoading() && !m_reading.isBusy();
        emit failed(isCutOff
                ? tr("The view is not saved, because only a part of the report was read. Open it again.")
                : tr(
                    "The view is not saved while reports open. Wait until they are open, and save it again."));
        return Outcome::Failed;
    }
    if (m_writer.isBusy() && m_writer.path() == path) { // else its own file would look foreign
        m_again = [this, path, force] { saveTo(path, force); };
        return Outcome::Later;
    }
    m_again = {};
    SavedView view = viewOf(m_session);
    view.thresholds = RuleSettings::changed();
    view.drawing = drawing();
    if (m_rowFilter)
        view.rowFilter = rowFilterOf(*m_rowFilter);
    const auto text = viewFileJson(view, QFileInfo(path).fileName().toStdString());
    if (!text.ok()) {
        emit failed(plainTextOf(text.error().message));
        return Outcome::Failed;
    }
    const std::string& json = text.value();
    const auto outcome = std::make_shared<Outcome>(Outcome::Failed);
    const auto returned = std::make_shared<bool>(false);
    const Traces of = tracesOf(m_session.workspace());
    m_writer.write(
        path,
        [path, json, force, known = isOfThese() ? m_hash : QByteArray(), outcome](
            const std::stop_token& stop) -> Result<void> {
            const auto isThere = [&path] {
                const FileWait wait(path.toStdString());
                const QFileInfo file(path);
                return file.exists() || file.isSymLink(); // which would make the file that it names
            };
            if (!force && isThere() && (known.isEmpty() || hashAt(path) != known)) {
                *outcome = Outcome::Foreign;
                return Error{Message()}; // nothing is written
            }
            if (QFileInfo(path).path() == folderForSample())
                QDir().mkpath(folderForSample());
            return writeFile(path, QByteArray::fromStdString(json), stop);
        },
        [this, path, view, hash = hashOf(json), of, outcome, returned,
            isOfA = m_session.pair().isOn() && !m_session.pair().isWithinOne()](const Result<void>& written) {
            const bool isOpen
                = m_session.hasReport() && of.front().lock() == m_session.workspace().reports().front().trace;
            if (*outcome == Outcome::Foreign) {
                if (*returned && isOpen)
                    emit foreignLate();
            } else if (!written.ok()) {
                emit failed(plainTextOf(written.error().message));
            } else {
                *outcome = Outcome::Written;
                if (isOpen)
                    noteWritten(view, hash, path, of);
                emit said((isOfA ? tr("Saved the view of A to %1") : tr("Saved the view to %1")).arg(path));
            }
            if (const auto again = std::exchange(m_again, {}); again && isOpen)
                again();
        });
    *returned = true;
    return m_writer.isBusy() ? Outcome::Later : *outcome;
}

void ViewFiles::noteWritten(
    const SavedView& view, const QByteArray& hash, const QString& path, const Traces& of)
{
    m_hash = hash;
    m_of = of;
    choose(path);
    m_filtersRows = view.rowFilter != RowFilterOfView();
    m_session.marks().noteFile(path, view.marks, QString::fromStdString(view.notes));
    m_session.saveState();
}

QString ViewFiles::ofOtherReports(const SavedView& view, const QString& path)
{
    const QString name = QFileInfo(path).fileName();
    if (view.reports.size() != 1)
        return tr("%1 is a view of %2 reports. Open all of them together, then this file.")
            .arg(name, numberText(view.reports.size()));
    const ReportMeasure& report = view.reports.front(); // it has no name
    return tr("%1 is a view of a report that lasts %2 (%3). Open that report alone, then this file.")
        .arg(
            name, durationText(report.session.duration()), QString::fromStdString(formatBytes(report.bytes)));
}

} // namespace warpline
