#include "views/session/run_pair.h"

#include "core/base/format_instant.h"
#include "core/store/trace.h"
#include "views/style/rich_text.h"

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

/// Whether both are one report, as the user has named and placed it.
bool isSameAs(const OpenReport& a, const OpenReport& b)
{
    return a.trace == b.trace && a.label == b.label && a.color == b.color && a.clock.offset == b.clock.offset;
}

} // namespace

RunPair::RunPair(Session& a, QObject* parent)
    : QObject(parent),
      m_a(a)
{
    connect(&m_a, &Session::reportOpened, this, [this] { m_markedAsA = {}; }); // B may be on its way
    connect(&m_a, &Session::traceChanged, this, &RunPair::onTraceChanged);
    connect(&m_a, &Session::exchangesReplaced, this, &RunPair::onRowsReplaced);
    connect(&m_a, &Session::clocksChanged, this, &RunPair::onClocksChanged);
    connect(&m_a.time(), &TimeView::shownChanged, this, [this] { follow(Side::A); });
    connect(&m_a.selection(), &Selection::currentEventChanged, this, [this] { onEventChosen(Side::A); });
    connect(&m_a.rowView(), &RowView::rowLayoutChanged, this, [this] { copyRows(Side::A); });
    connect(&m_a.judgement(), &Judgement::stepGlobChanged, this, &RunPair::onStepsChosen);
    for (LatestJob* const job : {&m_matching, &m_judging})
        job->onFailure([this] { emit changed(); });
}

RunPair::~RunPair() = default;

Session& RunPair::b()
{
    if (!m_b) {
        m_b = std::make_unique<Session>();
        m_b->setPairedAsOther(*this);
        moveTogether();
        connect(m_b.get(), &Session::traceChanged, this, &RunPair::onTraceChanged);
        connect(m_b.get(), &Session::exchangesReplaced, this, &RunPair::onRowsReplaced);
        connect(m_b.get(), &Session::clocksChanged, this, &RunPair::onClocksChanged);
        connect(&m_b->time(), &TimeView::shownChanged, this, [this] { follow(Side::B); });
        connect(&m_b->selection(), &Selection::currentEventChanged, this, [this] { onEventChosen(Side::B); });
        connect(&m_b->rowView(), &RowView::rowLayoutChanged, this, [this] { copyRows(Side::B); });
        // A search covers both.
        connect(&m_a.selection(), &Selection::searchTextChanged, m_b.get(),
            [this] { m_b->selection().setSearchText(m_a.selection().searchText()); });
        // Steps are chosen for both, whatever was chosen for B alone.
        m_b->judgement().setStepGlob(m_a.judgement().stepGlob());
        connect(&m_b->judgement(), &Judgement::stepGlobChanged, this,
            [this] { m_b->judgement().setStepGlob(m_a.judgement().stepGlob()); });
    }
    return *m_b;
}

void RunPair::moveTogether()
{
    Glide& a = m_a.time().glide();
    Glide& b = m_b->time().glide();
    b.setOn(a.isOn());
    connect(&a, &Glide::switched, &b, &Glide::setOn);
    connect(&a, &Glide::stepped, &b, &Glide::advance);
    connect(&b, &Glide::stepped, &a, &Glide::advance);
}

void RunPair::compareWith(Workspace other)
{
    if (other.isEmpty()) {
        end();
        return;
    }
    saveMarksOfB();
    const bool isFurther = m_on && !b().workspace().isComplete();
    m_on = true;
    m_within = false;
    if (!isFurther) {
        m_narrowed = {};
        m_alignedOnce = false;
        forget();
    }
    emit changed(); // before the rows are there: the second timeline shows them while they come
    b().setWorkspace(std::move(other));
}

void RunPair::compareWithin(TimeRange a, TimeRange b)
{
    saveMarksOfB();
    if (isWithinOne()) { // the same report again emits no signal
        m_narrowed = {a, b};
        compareAgain();
        return;
    }
    m_on = true;
    m_within = true;
    m_alignedOnce = false;
    forget();
    m_narrowed = {a, b};
    emit changed();
    this->b().setWorkspace(m_a.workspace());
}

void RunPair::end()
{
    if (!m_on)
        return;
    saveMarksOfB();
    m_on = false;
    forget();
    m_narrowed = {};
    m_map = {};
    m_a.time().setReach({});
    m_a.time().show(m_a.time().shown().clippedTo(m_a.session()), false);
    emit changed();
    b().setWorkspace({}); // releases its memory
}

void RunPair::setReturning(bool returns)
{
    if (std::exchange(m_returns, returns) != returns && !m_comparison && !isComing())
        emit changed();
}

/// Before B has another report, or none.
void RunPair::saveMarksOfB()
{
    if (m_on)
        m_b->saveState();
}

void RunPair::narrow(Side side, TimeRange range)
{
    if (narrowed(side) == range || !m_on)
        return;
    m_narrowed[side] = range;
    compareAgain();
}

void RunPair::onStepsChosen()
{
    if (m_b)
        m_b->judgement().setStepGlob(m_a.judgement().stepGlob());
    if (m_on)
        compareAgain();
}

void RunPair::compareAgain()
{
    m_alignedOnce = false;
    forgetComparison();
    match();
    emit changed(); // the next result is on its way, see comparisonAfter()
}

void RunPair::markAsA(TimeRange range, EventId named)
{
    const auto at = [](Ns time) { return textOf(formatInstant(time, 1000)); };
    constexpr qsizetype longestName = 40; // in a menu
    m_markedText = named.valid()
        ? tr("%1, %2 to %3")
              .arg(elidedInMiddle(
                       textOf(m_a.trace(named.report).displayName(named.event)).simplified(), longestName),
                  at(range.start), at(range.end))
        : tr("%1 to %2").arg(at(range.start), at(range.end));
    if (std::exchange(m_markedAsA, range) != range)
        emit changed();
    emit markedA();
}

void RunPair::onTraceChanged()
{
    if (!m_on)
        return;
    forget(); // it is of other reports, or of none
    if (m_within && !std::ranges::equal(m_a.workspace().reports(), b().workspace().reports(), isSameAs)) {
        b().setWorkspace(m_a.workspace()); // the run has more reports, or others; calls this again
        return;
    }
    if (!m_a.hasReport() || !b().hasReport())
        return;
    m_alignedOnce = false; // and so was that
    emit changed();
    setMap({beginOf(Side::A), beginOf(Side::B), 1});
    match();
}

/// The runs are the same, and so is what is compared; rows of reports keep their partners.
void RunPair::onRowsReplaced()
{
    if (!m_on)
        return;
    std::vector<RowPair> kept = m_rowPairs;
    std::erase_if(kept, [this](const RowPair& pair) {
        return m_a.workspace().isOfAll(pair.a) || b().workspace().isOfAll(pair.b);
    });
    setRowPairs(std::move(kept));
    if (m_matching.isBusy()) // with the numbers of before
        match();
    else if (m_comparison)
        m_pairing.start([a = m_a.workspace(), b = b().workspace()](
                            const std::stop_token& stop) { return pairRows(a, b, stop); },
            [this](std::vector<RowPair> pairs) { takeRowPairs(std::move(pairs)); });
}

Ns RunPair::beginOf(Side side)
{
    return narrowed(side).empty() ? session(side).session().start : narrowed(side).start;
}

/// The request for the runs in their current state.
CompareRequest RunPair::request()
{
    CompareRequest request;
    request.wantEvents = true;
    for (const Side side : {Side::A, Side::B}) {
        SideRequest& asked = side == Side::A ? request.a : request.b;
        asked.stepGlob = m_a.judgement().stepGlob();
        for (const OpenReport& report : session(side).workspace().reports())
            asked.reports.push_back({report.trace, report.label});
        if (!narrowed(side).empty())
            asked.range = session(side).workspace().reports().front().clock.toReport(narrowed(side));
    }
    return request;
}

void RunPair::match()
{
    if (!m_a.workspace().isComplete() || !b().workspace().isComplete())
        return;
    m_judging.cancel();
    m_matching.start(
        [a = m_a.workspace(), b = b().workspace(), request = request()](const std::stop_token& stop) {
            auto comparison = std::make_shared<const Comparison>(compareRuns(request, stop));
            return Matched{std::move(comparison), pairRows(a, b, stop)};
        },
        [this](Matched matched) {
            m_comparison = std::move(matched.comparison);
            ++m_number;
            m_steps = {stepsOf(Side::A), stepsOf(Side::B)};
            takeRowPairs(std::move(matched.rows));
            if (hasTimes() && !std::exchange(m_alignedOnce, true))
                alignAtFirst();
            judge(); // before signalling that all is loaded
            emit this->matched();
        });
}

/// Every rule of every report takes longer than all the rest, so it comes behind.
void RunPair::judge()
{
    m_judging.start(
        [request = request(), comparison = m_comparison](const std::stop_token& stop) {
            auto judged = std::make_shared<Comparison>(*comparison);
            compareFindings(request, *judged, stop);
            return std::shared_ptr<const Comparison>(std::move(judged));
        },
        [this](std::shared_ptr<const Comparison> judged) {
            m_comparison = std::move(judged);
            emit compared();
        });
}

RunSteps RunPair::stepsOf(Side side)
{
    RunSteps steps;
    const ComparedSide& compared = m_comparison->sides[side];
    if (m_comparison->unit != CompareUnit::Step || compared.gpus.empty())
        return steps;
    const ComparedGpu& first = compared.gpus.front();
    const OpenReport& report
        = session(side).workspace().report(ReportId{static_cast<std::uint16_t>(first.report)});
    for (const ComparedStep& step : first.steps) {
        if (step.judged && !step.gpu.empty())
            steps.push_back(report.clock.toWorkspace(step.gpu));
    }
    steps.erase(
        steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(std::min(compared.ahead, steps.size())));
    return steps;
}

void RunPair::forgetComparison()
{
    m_matching.cancel();
    m_pairing.cancel();
    m_judging.cancel();
    m_comparison = nullptr;
    ++m_number;
    m_steps = {};
    m_step.reset();
}

void RunPair::forget()
{
    forgetComparison();
    setRowPairs({});
}

} // namespace warpline
