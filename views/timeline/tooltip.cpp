#include "views/timeline/tooltip.h"

#include "core/query/counter_stats.h"
#include "core/query/event_text.h"
#include "core/query/lod.h"
#include "views/style/rich_text.h"

namespace warpline {

namespace {

constexpr qsizetype longestName = 180;

} // namespace

QString eventTip(const Trace& trace, EventRef event)
{
    const std::vector<TextRow> facts = tooltipOf(trace, event);
    QString name = QString::fromStdString(facts.front().first);
    if (name.size() > longestName)
        name = name.left(longestName) + QChar(0x2026);
    QString text = "<b>" + name.toHtmlEscaped() + "</b><table cellspacing=0 cellpadding=1>";
    for (std::size_t i = 1; i < facts.size(); ++i)
        text += "<tr><td style='padding-right:10px'>" + htmlOf(facts[i].first) + "</td><td>"
            + htmlOf(facts[i].second) + "</td></tr>";
    return text + "</table>";
}

QString counterTip(const Trace& trace, const Row& row, Ns time)
{
    const CounterSeries& series = trace.counters[row.counter];
    const std::optional<float> value = valueAt(series, time);
    if (!value)
        return {};
    return htmlOf(row.label) + ": <b>" + htmlOf(counterValueText(trace, series, static_cast<double>(*value)))
        + "</b>";
}

} // namespace warpline
