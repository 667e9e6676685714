#include "views/panels/host_steps.h"

#include "core/analysis/time_by_name.h"
#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/stats/duration_summary.h"
#include "core/steps/repeated_ranges.h"
#include "core/steps/steps.h"
#include "views/panels/layouts.h"
#include "views/panels/panel.h"
#include "views/panels/step_choice.h"
#include "views/panels/steps_chart.h"
#include "views/session/rule_settings.h"
#include "views/style/color_choice.h"
#include "views/style/event_colors.h"
#include "views/style/linked_label.h"
#include "views/style/part_colors.h"
#include "views/style/rich_text.h"
#include "views/style/wrapped_label.h"

#include <QCoreApplication>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <span>
#include <utility>

namespace warpline {

namespace {

constexpr std::size_t maxGroups = 16;

} // namespace

HostSteps::HostSteps(Session& session, const Theme& theme, QWidget* parent)
    : StepsView(session, theme, parent),
      m_area(new QScrollArea(this))
{
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setWidgetResizable(true);
    constexpr int least = 90; // of the bars before the legend loses lines
    m_area->setMinimumHeight(least);
    fillColumn(this, 0, {makeTextColumn(this, m_legend, m_area)});
    connect(&ColorChoice::shared(), &ColorChoice::changed, this, [this] {
        m_isDrawn = false;
        emit answered();
    });
    m_job.onFailure([this] {
        m_found = {};
        m_of.reset();
        m_isDrawn = false;
        emit answered();
    });
}

void HostSteps::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_isDrawn = false;
}

void HostSteps::clear()
{
    m_job.cancel();
    m_found = {};
    m_of.reset();
    draw();
}

void HostSteps::refresh()
{
    if (!m_isDrawn || rowScopeOf(m_session) != m_scope)
        draw(); // a chart takes a tenth of a second to be laid out
}

void HostSteps::evaluate()
{
    m_job.start(
        [trace = m_session.sharedTrace(), pattern = m_session.judgement().stepGlob(), slow = chosenLimits()](
            const std::stop_token& stop) { return find(*trace, pattern, slow, stop); },
        [this](Found found) {
            m_found = std::move(found);
            m_of = m_session.sharedTrace();
            m_isDrawn = false;
            emit answered();
        });
}

namespace {

/// For each of `parts`, names with * for digits, the first range with that name.
std::vector<EventIndex> examplesOf(
    const Trace& trace, const std::vector<std::string>& parts, const std::stop_token& stop)
{
    std::vector<EventIndex> examples(parts.size(), noIndex);
    std::vector<bool> seen(trace.pool->size(), false);
    std::size_t missing = parts.size();
    for (EventIndex i = 0; i < trace.nvtx().size() && missing > 0 && !stop.stop_requested(); ++i) {
        const StringId name = trace.nvtx().name[i];
        if (raw(name) >= seen.size() || seen[raw(name)])
            continue;
        seen[raw(name)] = true;
        const auto part = std::ranges::find(parts, withoutNumbers(trace.text(name), '*'));
        if (part == parts.end() || examples[static_cast<std::size_t>(part - parts.begin())] != noIndex)
            continue;
        examples[static_cast<std::size_t>(part - parts.begin())] = i;
        --missing;
    }
    return examples;
}

/// The program's own ranges that repeat and are no steps: "host write (3 times)", those with most time first.
QStringList otherRanges(const Trace& trace, const std::stop_token& stop)
{
    constexpr std::size_t maxNames = 4;
    QStringList names;
    for (const RepeatedRanges& repeated : repeatedRanges(trace, 2, stop)) {
        if (names.size() < static_cast<qsizetype>(maxNames))
            names << QObject::tr("%1 (%2 times)").arg(textOf(toUtf8(repeated.pattern))).arg(repeated.count);
    }
    return names;
}

} // namespace

HostSteps::Overall HostSteps::overallOf(const Trace& trace, const StepBreakdown& breakdown)
{
    Overall overall{groupsOf(trace, breakdown)};
    for (const StepGroup& group : overall.groups) {
        Counts& counts = overall.counts.emplace_back();
        std::vector<Ns> steady;
        for (const Step& step : std::span(breakdown.steps).subspan(group.first, group.count)) {
            counts.outliers += step.outlier ? 1 : 0;
            if (!step.warmUp)
                steady.push_back(trace.range({EventKind::Nvtx, step.range}).duration());
        }
        if (!steady.empty())
            counts.median = wholeNs(summarize(steady).median);
    }
    for (const Step& step : breakdown.steps) {
        if (step.ofUsual > 0)
            overall.unlike << tr("%1 takes %2 x the usual, unlike all others")
                                  .arg(textOf(trace.name({EventKind::Nvtx, step.range})))
                                  .arg(step.ofUsual, 0, 'f', 2);
        // Warm-up steps are cut off at the top: they would flatten all others.
        if (!step.warmUp)
            overall.highest
                = std::max(overall.highest, trace.range({EventKind::Nvtx, step.range}).duration());
    }
    for (std::size_t i = 0; i < overall.groups.size(); ++i) {
        const StepGroup& group = overall.groups[i];
        overall.counts[i].cutOff = static_cast<std::size_t>(std::ranges::count_if(
            std::span(breakdown.steps).subspan(group.first, group.count), [&](const Step& step) {
                const Ns length = trace.range({EventKind::Nvtx, step.range}).duration();
                return step.warmUp
                    && static_cast<double>(length) > StepsChart::air * static_cast<double>(overall.highest);
            }));
    }
    return overall;
}

HostSteps::Found HostSteps::find(
    const Trace& trace, const std::string& pattern, const SlowStepLimits& slow, const std::stop_token& stop)
{
    Found found;
    found.breakdown = std::make_shared<const StepBreakdown>(breakDownSteps(trace, pattern, {}, slow, stop));
    found.overall = overallOf(trace, *found.breakdown);
    found.examples = examplesOf(trace, found.breakdown->parts, stop);
    if (found.breakdown->steps.empty() && pattern.empty())
        found.others = otherRanges(trace, stop);
    return found;
}

QWidget* HostSteps::emptyPage(QWidget* parent)
{
    auto* const page = new LinkedLabel(parent);
    page->setObjectName("noSteps");
    wrapInWidth(*page);
    page->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    page->setContentsMargins(10, 8, 10, 8);
    const bool isNamed = !m_session.judgement().stepGlob().empty();
    QString text = "<p>"
        + (isNamed && isFound() ? noStepsHtml(m_session.judgement()) : words().toHtmlEscaped()) + "</p>";
    if (hasGpuWork(m_session))
        text += "<p>"
            + tr(
                "<a href='gpu'>GPU time</a> shows where the time of the GPU goes, and the steps that repeat there.")
            + "</p>";
    if (isFound() && !isNamed && m_found.others.isEmpty())
        text += "<p>"
            + tr(
                "To see the parts of each step, add NVTX ranges to the program: torch.cuda.nvtx.range_push(\"step\"), nvtxRangePush(\"step\").")
            + "</p>";
    page->setText(text);
    connect(page, &QLabel::linkActivated, this, [this](const QString& link) {
        if (link == stepsAutoLink)
            m_session.judgement().setStepGlob({});
        else
            emit gpuTimeWanted();
    });
    return page;
}

void HostSteps::goToStep(std::size_t index)
{
    if (index >= m_found.breakdown->steps.size())
        return;
    const EventId step = m_session.idOf({EventKind::Nvtx, m_found.breakdown->steps[index].range});
    m_session.selection().goTo(step);
    if (m_session.selection().currentEvent() != step)
        return; // a report opens, and the steps are of the one before
    m_session.selection().selectRows({});
    m_session.time().selectRange(m_session.workspace().range(step));
}

void HostSteps::showSteadySteps()
{
    TimeRange steady;
    for (const Step& step : m_found.breakdown->steps) {
        const TimeRange range = m_session.trace().range({EventKind::Nvtx, step.range});
        if (!step.warmUp)
            steady = steady.empty() ? range : steady.unitedWith(range);
    }
    if (!steady.empty())
        m_session.time().show(m_session.sharedTime(steady));
}

std::vector<StepsChart*> HostSteps::charts() const
{
    const auto found = m_area->findChildren<StepsChart*>();
    return {found.begin(), found.end()};
}

QString HostSteps::words() const
{
    const std::vector<Step>& steps = m_found.breakdown->steps;
    if (!isFound())
        return !m_session.trace().complete ? QString()
            : m_job.failure().isEmpty()    ? tr("Analyzing\u2026")
                                           : m_job.failure();
    if (steps.empty())
        return m_found.others.isEmpty()
            ? tr("No NVTX range repeats in this report.")
            : tr("No steps found. These NVTX ranges repeat: %1. Enter one above.")
                  .arg(m_found.others.join(QCoreApplication::translate("Lists", ", ")));
    Counts counts;
    std::size_t shown = 0;
    for (const std::size_t group : m_shown) {
        shown += m_found.overall.groups[group].count;
        counts.cutOff += m_found.overall.counts[group].cutOff;
        counts.outliers += m_found.overall.counts[group].outliers;
    }
    const bool isNarrowed = m_shown.size() < m_found.overall.groups.size();
    QString pattern = textOf(m_found.breakdown->pattern);
    if (pattern.startsWith(':'))
        pattern.remove(0, 1); // the default domain has no name
    if (shown == 0)
        return tr("%1 \u00b7 no steps of the selected rows").arg(pattern);
    const Ns median = m_shown.size() == 1 ? m_found.overall.counts[m_shown.front()].median
                                          : wholeNs(m_found.breakdown->steady.median);
    QStringList words{pattern,
        shown == 1               ? tr("1 step")
            : m_shown.size() > 1 ? tr("%1 steps on %2 threads").arg(shown).arg(m_shown.size())
                                 : tr("%1 steps").arg(shown)};
    if (m_shown.size() == 1 || !isNarrowed)
        words << tr("median %1 on the host").arg(roundedText(median));
    if (m_found.breakdown->parts.empty())
        words << (hasGpuWork(m_session) ? tr("no ranges inside; see GPU time for where their time goes")
                                        : tr("no ranges inside"));
    if (counts.cutOff > 0)
        words << tr("%1 warm-up (bar cut off)").arg(counts.cutOff);
    if (counts.outliers > 0)
        words << (counts.outliers == 1 ? tr("1 outlier") : tr("%1 outliers").arg(counts.outliers));
    return (isNarrowed ? words : words + m_found.overall.unlike).join(" \u00b7 ");
}

QString HostSteps::legend() const
{
    QStringList parts;
    const auto add = [&](QColor color, const QString& name) {
        parts << QString("<span style='color:%1'>\u25a0</span>&nbsp;%2").arg(color.name(), name);
    };
    for (std::size_t i = 0; i < m_found.breakdown->parts.size(); ++i)
        add(m_colors[i], htmlOf(m_found.breakdown->parts[i]).replace(' ', "&nbsp;"));
    if (m_found.breakdown->parts.empty()) { // bars of one color
        add(m_theme->rest, tr("usual"));
        add(m_theme->bad, tr("outlier"));
    } else
        add(m_theme->rest, tr("other"));
    return spacedHtml(parts);
}

void HostSteps::mixColors()
{
    // By name, even when the timeline has other colours: parts of one kind need different colours here.
    EventColors colors(
        m_session.sharedTrace(), *m_theme, ColorBy::Name, ColorChoice::shared().usesOwnNvtxColors());
    std::vector<QColor> wished(m_found.breakdown->parts.size());
    for (std::size_t i = 0; i < wished.size() && i < m_found.examples.size(); ++i) {
        if (m_found.examples[i] < m_session.trace().nvtx().size())
            wished[i] = QColor::fromRgb(colors({EventKind::Nvtx, m_found.examples[i]}));
    }
    m_colors = partColors(wished, *m_theme);
}

QString HostSteps::summaryTip() const
{
    return tr(
        "Bars are ranges on the host. A GPU step, as in GPU time, lasts from its first work to the first work of the next step. A delay in one range therefore lengthens the previous GPU step. Both mark the same outliers.");
}

void HostSteps::draw()
{
    m_isDrawn = true;
    mixColors();
    m_scope = rowScopeOf(m_session);
    m_shown.clear();
    std::vector<StepGroup> groups;
    for (std::size_t i = 0; i < m_found.overall.groups.size(); ++i) {
        if (!m_scope.covers(processOf(m_found.overall.groups[i].thread), -1))
            continue;
        m_shown.push_back(i);
        groups.push_back(m_found.overall.groups[i]);
    }
    QStringList words{this->words()};
    if (groups.size() > maxGroups) {
        words << tr("%1 threads shown").arg(maxGroups);
        groups.resize(maxGroups);
    }
    // Without steps the page below shows the reason.
    m_summary = m_found.overall.groups.empty() ? QString() : words.join(" \u00b7 ").toHtmlEscaped();
    m_legend->setText(legend());
    m_legend->setVisible(!groups.empty());
    if (m_found.breakdown->steps.empty()) {
        m_area->setWidget(emptyPage(m_area)); // deletes the page before
        return;
    }
    auto* const page = new QWidget(m_area);
    auto* const column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    for (const StepGroup& group : groups) {
        auto* const chart
            = new StepsChart(m_session.sharedTrace(), m_found.breakdown, group, *m_theme, m_colors, page);
        chart->draw(m_found.overall.highest); // one scale, so that ranks can be compared
        connect(chart, &StepsChart::stepChosen, this, &HostSteps::goToStep);
        column->addWidget(chart, 1);
    }
    m_area->setWidget(page); // deletes the page before
}

} // namespace warpline
