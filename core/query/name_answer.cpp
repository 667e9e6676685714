#include "core/query/name_answer.h"

#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

namespace {

constexpr std::size_t histogramBins = 80;
constexpr std::size_t paceColumns = 300;

} // namespace

std::shared_ptr<const NameAnswer> nameAnswer(
    const Trace& trace, const NamedQuery& query, const NameWishes& wishes, const std::stop_token& stop)
{
    auto answer = std::make_shared<NameAnswer>();
    answer->query = query;
    const EventTable& table = trace.table(query.kind);
    answer->events = eventsOf(trace, query, stop);
    DurationCounts counts;
    answer->figures = durationFigures(table, answer->events, counts, stop);
    answer->totalOfKind = totalDuration(trace, query);
    if (answer->events.empty())
        return answer;
    const DurationFigures& figures = answer->figures;
    answer->middle = nearestTo(table, answer->events, figures.median, stop);
    const bool wide = figures.most > 3 * std::max<Ns>(1, figures.least);
    const bool logarithmic = wishes.axis == 0 ? wide : wishes.axis == 2;
    auto edges = histogramEdges(figures, histogramBins, logarithmic);
    answer->histogram = counts.areAll
        ? durationHistogram(counts, std::move(edges), logarithmic)
        : durationHistogram(table, answer->events, std::move(edges), logarithmic, stop);
    if (wishes.byInstance) {
        answer->pace = paceOverInstances(table, answer->events, paceColumns, figures.outlierFence(), stop);
    } else {
        answer->pace = paceOverTime(table, answer->events,
            query.window.empty() ? trace.session : query.window, paceColumns, figures.outlierFence(), stop);
    }
    return answer;
}

} // namespace warpline
