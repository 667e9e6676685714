// Makes the workspace of the loaded and included reports of a list, with short names, on one clock.

#include "app/report_list.h"
#include "core/store/trace.h"

#include "core/base/path_names.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace warpline {

namespace {

constexpr int longestShowMs = 60'000;

/// Puts the reports on the first one's clock by the UTC time at which each began; offsets set by hand stay.
/// Reports that began too far apart for one run keep their own clocks.
void alignByStart(std::vector<OpenReport>& reports)
{
    const std::int64_t first = reports.front().trace->info.startedUtcNs;
    for (OpenReport& report : reports) {
        const std::optional<Ns> later = laterByUtc(report.trace->info.startedUtcNs, first);
        if (&report != &reports.front() && later && report.clock.method == ClockMethod::Own)
            report.clock = {*later, 0, ClockMethod::StartTime, {}};
    }
}

} // namespace

void ReportList::arrived()
{
    const bool isAnyShown = std::ranges::any_of(m_reports, &ListedReport::isShown);
    if (isLoading()) {
        emit changed();
        if (!isAnyShown) // nor does one that is left out end what is shown
            return;
        if (!m_showSoon.isActive())
            m_showSoon.start(m_showMs);
        m_showMs = std::min(2 * m_showMs, longestShowMs);
        return;
    }
    m_showSoon.stop();
    if (!isAnyShown && !m_before.empty()) {
        m_reports = std::exchange(m_before, {}); // the open reports stay
        m_setPath = m_setBefore;
        bool wasLoading = false;
        for (ListedReport& each : m_reports) {
            if (each.state == ListedReport::State::Open || each.state == ListedReport::State::Failed)
                continue;
            wasLoading = true;
            fail(each, TraceLoader::tr("%1: loading was cancelled.").arg(each.path));
        }
        emit changed();
        tellProblems();
        emit finished();
        if (wasLoading && !isLoading())
            arrived(); // they are all that comes
        return;
    }
    keepEarlier();
    if (std::ranges::any_of(m_reports, &ListedReport::isThere)) {
        show();
    } else {
        m_reports.clear();
        emit changed();
    }
    tellProblems();
    emit finished();
}

void ReportList::keepEarlier()
{
    for (ListedReport& each : m_reports) {
        OpenReport earlier = std::exchange(each.earlier, {});
        if (each.state != ListedReport::State::Failed || !earlier.trace)
            continue;
        each.report = std::move(earlier);
        each.state = ListedReport::State::Open;
    }
}

void ReportList::show()
{
    if (!m_before.empty() && std::ranges::none_of(m_reports, &ListedReport::isShown)) { // these stay
        emit changed();
        return;
    }
    m_before.clear();
    std::vector<std::string> paths; // report.sqlite in a folder for each rank
    for (const ListedReport& each : m_reports)
        paths.push_back(each.path.toStdString());
    const std::vector<std::string> names = shortNames(paths);
    std::vector<OpenReport> open;
    m_places.clear();
    for (std::size_t place = 0; place < m_reports.size(); ++place) {
        if (!m_reports[place].isThere() || !m_reports[place].choices.isIncluded)
            continue;
        open.push_back(toShow(m_reports[place], names[place]));
        m_places.push_back(place);
    }
    if (open.size() > 1)
        alignByStart(open);
    emit changed();
    const bool isPart = std::ranges::any_of(m_reports, [](const ListedReport& each) {
        return each.state == ListedReport::State::Loading || each.state == ListedReport::State::Recorded;
    });
    emit shown(Workspace(std::move(open), isPart));
}

OpenReport ReportList::toShow(const ListedReport& listed, const std::string& name)
{
    OpenReport report = listed.report;
    const ReportChoices& choices = listed.choices;
    report.label = choices.label.empty() ? name : choices.label;
    report.color = choices.color;
    report.colorIndex = listed.colorIndex;
    if (choices.rank)
        report.participants = {{0, -1, *choices.rank}};
    if (choices.offset)
        report.clock = {*choices.offset, 0, ClockMethod::Manual, {}};
    return report;
}

void ReportList::tellProblems()
{
    if (m_problems.isEmpty())
        return;
    constexpr qsizetype most = 4;
    QStringList told = m_problems.mid(0, most);
    if (m_problems.size() > most)
        told << tr("%1 more files could not be opened.").arg(m_problems.size() - most);
    m_problems.clear();
    emit failed(told.join('\n'));
}

} // namespace warpline
