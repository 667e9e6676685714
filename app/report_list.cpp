#include "app/report_list.h"

#include "app/report_converter.h"
#include "app/view_files.h"
#include "core/base/file_wait.h"
#include "core/cache/trace_cache.h"
#include "core/load/recording.h"
#include "core/load/report_files.h"
#include "core/store/trace.h"
#include "views/loading/moment.h"
#include "views/session/fleet_summary.h"
#include "views/style/rich_text.h"

#include <QFileInfo>
#include <QScopedValueRollback>
#include <QSettings>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace warpline {

namespace {

constexpr int firstShowMs = 1000; ///< reports that arrive within this time are shown together

QString fileName(const QString& path)
{
    return QFileInfo(path).fileName();
}

/// A report that is to be read.
ListedReport unread(const QString& path, ReportChoices choices)
{
    ListedReport report;
    report.path = QFileInfo(path).absoluteFilePath();
    report.choices = std::move(choices);
    if (isRecording(path.toStdString()))
        report.state = ListedReport::State::Recorded;
    return report;
}

/// Of the first report.
std::string folderOf(const std::vector<ReportOfSet>& reports)
{
    return reports.empty()
        ? std::string()
        : QFileInfo(QString::fromStdString(reports.front().path)).absolutePath().toStdString();
}

} // namespace

/// The files found for names.
struct ReportList::Named {
    std::vector<ListedReport> reports;
    QStringList problems;
    QString setPath;
    QString summary; ///< a fleet's result; then nothing else
    QString view; ///< a saved view that was named with the reports, or alone
    std::shared_ptr<const ReadView> alone; ///< what that holds; its reports are in `reports`

    static Named from(const QStringList& names, const std::stop_token& stop);
    static Named fromAny(const QStringList& names, const std::stop_token& stop);
};

ReportList::Named ReportList::Named::from(const QStringList& names, const std::stop_token& /*unused*/)
{
    Named named;
    std::vector<ReportOfSet> files;
    const auto take = [&](std::vector<std::string> plain) {
        ReportFiles found = findReportFiles(plain);
        for (std::string& path : found.paths)
            files.push_back({std::move(path), {}});
        for (const Message& problem : found.problems)
            named.problems << plainTextOf(problem);
    };
    std::vector<std::string> plain;
    for (const QString& name : names) {
        if (!isReportSet(name.toStdString())) {
            plain.push_back(name.toStdString());
            continue;
        }
        auto set = readReportSet(QFileInfo(name).absoluteFilePath().toStdString());
        if (!set.ok()) {
            named.problems << plainTextOf(set.error().message);
            continue;
        }
        for (ReportOfSet& report : set.value())
            files.push_back(std::move(report));
        if (names.size() == 1)
            named.setPath = QFileInfo(name).absoluteFilePath();
    }
    take(std::move(plain));
    for (ReportOfSet& file : files)
        named.reports.push_back(unread(QString::fromStdString(file.path), std::move(file.choices)));
    return named;
}

ReportList::Named ReportList::Named::fromAny(const QStringList& names, const std::stop_token& stop)
{
    const auto isSummary = [&names] {
        const FileWait wait(names.front().toStdString());
        return FleetSummary::isSummary(names.front());
    };
    Named named;
    if (names.size() == 1 && isSummary()) {
        named.summary = names.front();
        return named;
    }
    QString view;
    QStringList others;
    std::optional<ReadView> read;
    for (const QString& name : names) {
        auto found = isReportSet(name.toStdString()) ? ViewFiles::readAt(name, false) : std::nullopt;
        if (!found || !found->isView()) {
            others << name;
        } else if (read) {
            return from(names, stop); // nobody knows which of them is wanted
        } else {
            view = QFileInfo(name).absoluteFilePath();
            read = std::move(found);
        }
    }
    if (!read)
        return from(names, stop);
    if (!others.isEmpty()) {
        named = from(others, stop);
        named.view = view;
        return named;
    }
    named.view = view;
    for (const std::string& path :
        reportsOfView(view.toStdString(), read->view.ok() ? read->view.value() : SavedView(), stop))
        named.reports.push_back(unread(QString::fromStdString(path), {}));
    if (named.reports.empty() && read->view.ok())
        named.problems << ViewFiles::ofOtherReports(read->view.value(), view);
    else if (named.reports.empty())
        named.problems << plainTextOf(read->view.error().message);
    named.alone = std::make_shared<const ReadView>(*std::move(read));
    return named;
}

ReportList::ReportList(QObject* parent)
    : QObject(parent),
      m_converter(new ReportConverter(this))
{
    connect(&m_loader, &TraceLoader::progressed, this, &ReportList::onProgress);
    connect(&m_loader, &TraceLoader::loaded, this, &ReportList::onLoaded);
    connect(&m_loader, &TraceLoader::tooLarge, this, &ReportList::tooLarge);
    connect(&m_loader, &TraceLoader::failed, this, &ReportList::onFailed);
    connect(m_converter, &ReportConverter::failed, this, &ReportList::onConversionFailed);
    connect(m_converter, &ReportConverter::progressed, this, [this](int percent, const QString& text) {
        if (!m_loader.isLoading())
            emit progressed(percent < 0 ? -1 : percent * 10, text);
    });
    connect(m_converter, &ReportConverter::converted, this, [this](const QString& exportPath) {
        const std::size_t place = *std::exchange(m_converting, std::nullopt);
        ListedReport& report = m_reports[place];
        report.state = ListedReport::State::Loading;
        report.number
            = m_reports.size() == 1 ? m_loader.open(exportPath) : m_loader.add({exportPath}).front();
        convertNext();
    });
    m_showSoon.setSingleShot(true);
    connect(&m_showSoon, &QTimer::timeout, this, &ReportList::show);
}

ReportList::~ReportList() = default;

void ReportList::setCacheUsed(bool used)
{
    m_cacheUsed = used;
    m_converter->setCacheUsed(used);
}

bool ReportList::isLoading() const
{
    return m_loader.isLoading() || m_converting || m_choosesNext || m_looking.isBusy();
}

bool ReportList::isReplacing() const
{
    return isLoading() && (!m_before.empty() || (m_looking.isBusy() && m_looksForOthers));
}

void ReportList::open(const QStringList& names)
{
    look(names, &Named::from, &ReportList::startInstead);
}

void ReportList::openAny(const QStringList& names)
{
    look(names, &Named::fromAny, &ReportList::startAny);
}

void ReportList::look(const QStringList& names,
    Named (*find)(const QStringList& names, const std::stop_token& stop),
    void (ReportList::*then)(Named named))
{
    stopLooking();
    m_lookedFor = names.value(0);
    m_looksForOthers = then != &ReportList::startBeside;
    nowOrLater(
        m_looking, [names, find](const std::stop_token& stop) { return find(names, stop); },
        [this, then](const Named& named) { (this->*then)(named); });
    if (m_looking.isBusy())
        emit progressed(-1, tr("Opening %1").arg(fileName(m_lookedFor)));
}

void ReportList::stopLooking()
{
    if (!m_looking.isBusy())
        return;
    m_looking.abandon();
    m_problems << TraceLoader::tr("%1: loading was cancelled.").arg(m_lookedFor);
}

void ReportList::startAny(Named named)
{
    const bool isTaken = named.alone && m_takeView && m_takeView(named.view, *named.alone);
    if (!named.summary.isEmpty())
        emit summaryNamed(named.summary);
    if (isTaken || !named.summary.isEmpty()) {
        if (!isLoading() && !m_problems.isEmpty())
            arrived();
        return;
    }
    if (!named.reports.empty())
        emit opening(named.view);
    startInstead(std::move(named));
}

void ReportList::openListed(Listed listed)
{
    for (ListedReport& report : listed.reports) {
        report.number = 0; // of another loader
        const bool isRead
            = report.state == ListedReport::State::Open || report.state == ListedReport::State::Failed;
        if (report.isThere() && isRead)
            continue;
        const auto colorIndex = report.colorIndex;
        OpenReport earlier = std::move(report.earlier);
        report = unread(report.path, std::move(report.choices));
        report.colorIndex = colorIndex;
        report.earlier = std::move(earlier);
    }
    Named named;
    named.reports = std::move(listed.reports);
    named.setPath = std::move(listed.setPath);
    startInstead(std::move(named));
}

void ReportList::reopen()
{
    Listed again = listed();
    for (ListedReport& report : again.reports) {
        if (report.isThere() && report.report.trace->complete)
            report.earlier = std::move(report.report);
        report.report = {};
    }
    openListed(std::move(again));
}

void ReportList::startInstead(Named named)
{
    if (named.reports.empty()) { // what is being opened goes on
        m_problems += named.problems;
        emit changed();
        tellProblems();
        if (!isLoading())
            emit finished();
        return;
    }
    m_problems.clear();
    stopLooking();
    m_loader.abandon();
    m_converting.reset();
    m_converter->cancel();
    if (m_before.empty() && std::ranges::any_of(m_reports, &ListedReport::isThere)) {
        m_before = std::move(m_reports);
        m_setBefore = m_setPath;
    }
    m_reports.clear();
    m_setPath = named.setPath;
    start(std::move(named));
}

void ReportList::add(const QStringList& names)
{
    if (m_reports.empty() && !m_looking.isBusy()) {
        open(names);
        return;
    }
    look(names, &Named::from, &ReportList::startBeside);
}

void ReportList::startBeside(Named named)
{
    if (m_reports.empty()) { // closed by now, or this replaces what was looked for
        named.problems = std::exchange(m_problems, {}) + named.problems;
        startInstead(std::move(named));
        return;
    }
    std::erase_if(named.reports, [&](const ListedReport& report) {
        const bool isKnown
            = std::ranges::find(m_reports, report.path, &ListedReport::path) != m_reports.end();
        if (isKnown)
            named.problems << tr("%1 is open already.").arg(fileName(report.path));
        return isKnown;
    });
    if (!named.reports.empty())
        m_setPath.clear(); // the file has another set
    start(std::move(named));
}

void ReportList::start(Named named)
{
    m_problems += named.problems;
    constexpr std::size_t most = 4096; // more would not be told apart, and each is shown with all others
    if (const std::size_t free = most - m_reports.size(); named.reports.size() > free) {
        m_problems << tr("No more than %1 reports can be open: later ones are left out.").arg(most);
        named.reports.resize(free);
    }
    std::vector<std::size_t> exports;
    std::size_t color = 0;
    for (ListedReport& report : named.reports) {
        while (
            std::ranges::find(m_reports, std::optional(color), &ListedReport::colorIndex) != m_reports.end())
            ++color;
        if (!report.colorIndex)
            report.colorIndex = color;
        if (report.state == ListedReport::State::Loading)
            exports.push_back(m_reports.size());
        m_reports.push_back(std::move(report));
    }
    m_showMs = firstShowMs;
    m_showSoon.stop();
    emit progressed(-1,
        m_reports.size() == 1 ? tr("Opening %1").arg(fileName(m_reports.front().path))
                              : tr("Opening %1 reports").arg(named.reports.size()));
    startLoading(exports);
    emit changed();
    convertNext();
    if (!isLoading() || !m_before.empty()) // those that are there need not wait for others
        arrived();
}

void ReportList::startLoading(const std::vector<std::size_t>& places)
{
    const bool keeps = m_cacheUsed && QSettings().value("cache/keep", true).toBool();
    m_loader.setCacheFolder(keeps ? QString::fromStdString(defaultCacheFolder()) : QString());
    QStringList paths;
    for (const std::size_t place : places)
        paths << m_reports[place].path;
    if (!paths.isEmpty())
        emit reading(paths);
    if (places.size() == 1 && m_reports.size() == 1) {
        m_reports.front().number = m_loader.open(m_reports.front().path);
        return;
    }
    const std::vector<int> numbers = m_loader.add(paths);
    for (std::size_t i = 0; i < places.size(); ++i)
        m_reports[places[i]].number = numbers[i];
}

void ReportList::convertNext()
{
    if (m_choosesNext) // a conversion that was done or failed at once asks for the next one
        return;
    const QScopedValueRollback<bool> choosing(m_choosesNext, true);
    for (std::size_t place = 0; !m_converting && place < m_reports.size(); ++place) {
        if (m_reports[place].state != ListedReport::State::Recorded)
            continue;
        m_converting = place;
        const QString path = m_reports[place].path;
        emit reading({path});
        m_converter->convert(path);
    }
}

void ReportList::close()
{
    m_looking.abandon();
    m_loader.abandon();
    m_converting.reset();
    m_converter->cancel();
    m_showSoon.stop();
    m_reports.clear();
    m_before.clear();
    m_problems.clear();
    m_places.clear();
    m_setPath.clear();
    emit changed();
}

void ReportList::cancel()
{
    if (m_looking.isBusy()) {
        stopLooking();
        if (!isLoading())
            arrived();
    }
    if (m_converting) {
        m_converter->cancel();
        m_converting.reset();
        for (ListedReport& report : m_reports) {
            if (report.state == ListedReport::State::Recorded)
                fail(report, tr("Conversion of %1 was cancelled.").arg(fileName(report.path)));
        }
        arrived();
    }
    m_loader.cancel();
}

void ReportList::remove(std::size_t place)
{
    m_loader.abandon(m_reports[place].number);
    if (m_converting == place) {
        m_converting.reset();
        m_converter->cancel();
    } else if (m_converting && *m_converting > place) {
        --*m_converting;
    }
    m_reports.erase(m_reports.begin() + static_cast<std::ptrdiff_t>(place));
    m_setPath.clear(); // the file has another set
    convertNext();
    if (!m_before.empty() && !isLoading()) {
        arrived();
        return;
    }
    if (!isLoading())
        keepEarlier();
    show();
    if (!isLoading()) {
        tellProblems(); // of conversions that failed at once
        emit finished();
    }
}

void ReportList::change(std::size_t place, ReportChoices choices)
{
    change({{place, std::move(choices)}});
}

void ReportList::change(std::map<std::size_t, ReportChoices> all)
{
    bool isChanged = false;
    for (auto& [place, choices] : all) {
        isChanged = isChanged || m_reports[place].choices != choices;
        m_reports[place].choices = std::move(choices);
    }
    if (isChanged && std::ranges::any_of(m_reports, &ListedReport::isThere))
        show();
    else if (isChanged)
        emit changed();
}

std::vector<ReportOfSet> ReportList::Listed::set() const
{
    std::vector<ReportOfSet> set;
    for (const ListedReport& report : reports)
        set.push_back({report.path.toStdString(), report.choices});
    return set;
}

QByteArray ReportList::Listed::choices() const
{
    const auto hasAny = [](const ListedReport& report) { return report.choices != ReportChoices(); };
    return std::ranges::any_of(reports, hasAny)
        ? QByteArray::fromStdString(reportSetJson(set(), folderOf(set())))
        : QByteArray();
}

void ReportList::takeChoices(const QByteArray& stored)
{
    const auto set = parseReportSet(stored.toStdString(), folderOf(listed().set()), {});
    std::map<std::size_t, ReportChoices> all;
    for (std::size_t place = 0; set.ok() && place < m_reports.size(); ++place) {
        const auto found
            = std::ranges::find(set.value(), m_reports[place].path.toStdString(), &ReportOfSet::path);
        if (found != set.value().end())
            all[place] = found->choices;
    }
    change(std::move(all));
}

ListedReport* ReportList::withNumber(int number)
{
    const auto found = std::ranges::find(m_reports, number, &ListedReport::number);
    return found == m_reports.end() ? nullptr : &*found;
}

void ReportList::onProgress(const LoadingState& state)
{
    if (state.reports == 1) {
        emit progressed(state.permille,
            tr("%1: %2 of %3 rows")
                .arg(plainTextOf(state.rows.stage), numberText(state.rows.rowsRead),
                    numberText(state.rows.rowsTotal)));
        return;
    }
    emit progressed(state.permille, tr("Read %1 of %2 reports").arg(state.done).arg(state.reports));
}

void ReportList::onLoaded(const OpenReport& report, int number)
{
    ListedReport* const listed = withNumber(number);
    if (!listed)
        return;
    listed->report = report;
    if (report.trace->complete) {
        listed->earlier = {};
        listed->state = ListedReport::State::Open;
        arrived();
    } else {
        show();
    }
}

void ReportList::onFailed(const QString& message, int number)
{
    if (ListedReport* const listed = withNumber(number)) {
        fail(*listed, message);
        arrived();
    }
}

void ReportList::onConversionFailed(const QString& message)
{
    if (!m_converting)
        return;
    fail(m_reports[*std::exchange(m_converting, std::nullopt)], message);
    if (m_choosesNext) // at once: convertNext() goes on
        return;
    convertNext();
    arrived();
}

void ReportList::fail(ListedReport& report, const QString& message)
{
    report.state = ListedReport::State::Failed;
    report.problem = message;
    m_problems << message;
}

void ReportList::save(const QString& path, std::function<void(const QString& problem)> done)
{
    const QFileInfo file(path);
    const std::string text = reportSetJson(listed().set(), file.absolutePath().toStdString());
    const QString whole = file.absoluteFilePath();
    m_writer.write(
        whole,
        [whole, text](
            const std::stop_token& stop) { return writeFile(whole, QByteArray::fromStdString(text), stop); },
        [this, whole, names = names(), done = std::move(done)](const Result<void>& written) {
            if (written.ok() && names == this->names()) // others may be open by then
                m_setPath = whole;
            done(written.ok() ? QString() : plainTextOf(written.error().message));
        });
}

QStringList ReportList::Listed::names() const
{
    if (!setPath.isEmpty())
        return {setPath};
    QStringList paths;
    for (const ListedReport& report : reports)
        paths << report.path;
    return paths;
}

QStringList ReportList::openedNames() const
{
    QStringList opened = names();
    for (const ListedReport& report : m_reports) {
        if (report.state == ListedReport::State::Failed)
            opened.removeOne(report.path);
    }
    return opened;
}

QStringList ReportList::files() const
{
    QStringList files;
    for (const auto* const list : {&m_reports, &m_before}) {
        for (const ListedReport& report : *list)
            files << report.path;
    }
    return files;
}

QString ReportList::title() const
{
    if (m_reports.empty())
        return {};
    if (!m_setPath.isEmpty())
        return fileName(m_setPath);
    const auto there = [](const ListedReport& report) { return report.state != ListedReport::State::Failed; };
    const auto first = std::ranges::find_if(m_reports, there);
    const auto count = std::ranges::count_if(m_reports, there);
    const QString name = fileName(first == m_reports.end() ? m_reports.front().path : first->path);
    return count <= 1 ? name : tr("%1 and %2 more").arg(name, QString::number(count - 1));
}

} // namespace warpline
