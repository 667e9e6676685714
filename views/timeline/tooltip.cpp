#include "views/timeline/tooltip.h"

#include "core/base/format_instant.h"
#include "core/query/counter_stats.h"
#include "core/query/event_text.h"
#include "core/query/lod.h"
#include "core/store/trace.h"
#include "views/style/rich_text.h"
#include "views/timeline/slice_names.h"

#include <QCoreApplication>

#include <algorithm>

namespace warpline {

namespace {

constexpr qsizetype longestName = 120;
constexpr qsizetype longestValue = 56;
constexpr qsizetype longestLine = 60;

/// `name` as rich text on several lines when it is too wide for a tooltip; broken at separators of the name.
QString linesOf(const QString& name)
{
    QString html;
    qsizetype begin = 0;
    while (name.size() - begin > longestLine) {
        qsizetype end = begin + longestLine;
        while (end > begin + longestLine / 2 && !QStringLiteral(",:_<> ").contains(name[end - 1]))
            --end;
        html += name.mid(begin, end - begin).toHtmlEscaped() + "<br>";
        begin = end;
    }
    return html + name.mid(begin).toHtmlEscaped();
}

constexpr std::size_t maxFacts = 20; ///< the details have more: a payload has any number of fields

} // namespace

QString eventTip(const Trace& trace, EventRef event)
{
    const std::vector<TextRow> facts = tooltipOf(trace, event);
    // Without template arguments where that is enough: a tooltip must not cover the rows.
    QStringList forms;
    if (event.kind != EventKind::ApiCall) // version suffixes ("_v3020") are not useful
        forms << plainTextOf(facts.front().label);
    forms += nameForms(trace, event);
    const auto fitting
        = std::ranges::find_if(forms, [](const QString& form) { return form.size() <= longestName; });
    const QString name = elidedInMiddle(fitting != forms.end() ? *fitting : forms.last(), longestName);
    QString text = "<b>" + linesOf(name) + "</b><table cellspacing=0 cellpadding=1>";
    for (std::size_t i = 1; i < std::min(facts.size(), maxFacts); ++i)
        text += "<tr><td style='padding-right:10px'>" + richTextOf(facts[i].label) + "</td><td>"
            + elidedInMiddle(plainTextOf(facts[i].value), longestValue).toHtmlEscaped() + "</td></tr>";
    return text + "</table>";
}

QString counterTip(const Trace& trace, const Row& row, Ns time, Ns resolution)
{
    const CounterSeries& series = trace.counters[row.counter];
    const std::optional<float> value = valueAt(series, time);
    if (!value)
        return {};
    return richTextOf(row.label) + ": <b>"
        + htmlOf(counterValueText(trace, series, static_cast<double>(*value))) + "</b> "
        + QCoreApplication::translate("Timeline", "at %1").arg(htmlOf(formatInstant(time, resolution)));
}

} // namespace warpline
