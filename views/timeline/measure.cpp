#include "views/timeline/measure.h"

#include "core/store/trace.h"
#include "views/style/rich_text.h"

#include <QCoreApplication>

#include <utility>

namespace warpline {

namespace {

constexpr Ns exactAlready = 1000; ///< shorter ones are shown in nanoseconds anyway

QString tr(const char* text)
{
    return QCoreApplication::translate("Measure", text);
}

QString nameOf(const Workspace& workspace, EventId event)
{
    return textOf(workspace.trace(event.report).displayName(event.event));
}

} // namespace

Measure measureBetween(const Workspace& workspace, EventId a, EventId b)
{
    if (workspace.range(b).start < workspace.range(a).start)
        std::swap(a, b);
    const TimeRange first = workspace.range(a);
    const TimeRange second = workspace.range(b);
    const Ns gap = second.start - first.end;
    return {a, b, gap, second.start - first.start, {gap > 0 ? first.end : first.start, second.start}};
}

QString exactDuration(Ns duration)
{
    const QString text = durationText(duration);
    if (duration < exactAlready)
        return text;
    return tr("%1 (%2 ns)").arg(text, numberText(static_cast<std::uint64_t>(duration)));
}

QString measureText(const Measure& measure)
{
    const QString apart = measure.gap >= 0 ? tr("Gap %1").arg(exactDuration(measure.gap))
                                           : tr("Overlap %1").arg(exactDuration(-measure.gap));
    return apart + '\n' + tr("Start to start %1").arg(exactDuration(measure.startToStart));
}

QString measureForClipboard(const Workspace& workspace, const Measure& measure)
{
    return tr("%1, then %2: gap %3 ns, start to start %4 ns")
        .arg(nameOf(workspace, measure.first), nameOf(workspace, measure.second))
        .arg(measure.gap)
        .arg(measure.startToStart);
}

QString rangeForClipboard(TimeRange range)
{
    return tr("%1 ns, from %2 ns to %3 ns").arg(range.duration()).arg(range.start).arg(range.end);
}

} // namespace warpline
