#include "views/session/run_pair.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace warpline {

namespace {

/// When the first kernel of the first report begins, from `from` on; `from` when there is none.
Ns firstKernel(const Workspace& workspace, TimeRange within)
{
    Ns first = within.end;
    for (const OpenReport& report : workspace.reports()) {
        const EventTable& kernels = report.trace->table(EventKind::Kernel);
        for (const Lane& lane : kernels.lanes) {
            const EventIndex i = kernels.firstStartingAt(lane, report.clock.toReport(within.start));
            if (i < lane.first + lane.count)
                first = std::min(first, report.clock.toWorkspace(kernels.start[i]));
        }
    }
    return first < within.end ? first : within.start;
}

} // namespace

RunPair::RunPair(Session& a, QObject* parent)
    : QObject(parent),
      m_a(a)
{
    connect(&m_a, &Session::reportOpened, this, [this] { markAsA({}); });
    connect(&m_a, &Session::traceChanged, this, &RunPair::onTraceChanged);
    connect(&m_a, &Session::shownChanged, this, [this] { follow(Side::A); });
    connect(&m_a, &Session::rowLayoutChanged, this, [this] { copyRows(Side::A); });
}

RunPair::~RunPair() = default;

Session& RunPair::b()
{
    if (!m_b) {
        m_b = std::make_unique<Session>();
        m_b->setPairedAsOther(*this);
        moveTogether();
        connect(m_b.get(), &Session::traceChanged, this, &RunPair::onTraceChanged);
        connect(m_b.get(), &Session::shownChanged, this, [this] { follow(Side::B); });
        connect(m_b.get(), &Session::rowLayoutChanged, this, [this] { copyRows(Side::B); });
        // What is searched for is searched for in both.
        connect(
            &m_a, &Session::searchTextChanged, m_b.get(), [this] { m_b->setSearchText(m_a.searchText()); });
    }
    return *m_b;
}

void RunPair::moveTogether()
{
    Glide& a = m_a.glide();
    Glide& b = m_b->glide();
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
    const bool isThere = isWithinOne();
    m_on = true;
    m_within = true;
    m_alignedOnce = false;
    forget();
    m_narrowed = {a, b};
    emit changed();
    if (isThere) // the same report again: nothing is heard of it
        match();
    else
        this->b().setWorkspace(m_a.workspace());
}

void RunPair::end()
{
    if (!m_on)
        return;
    m_on = false;
    forget();
    m_narrowed = {};
    m_map = {};
    m_a.setReach({});
    m_a.show(m_a.shown().clippedTo(m_a.session()), false);
    emit changed();
    b().setWorkspace({}); // frees what it held
}

void RunPair::narrow(Side side, TimeRange range)
{
    if (narrowed(side) == range || !m_on)
        return;
    m_narrowed[side] = range;
    m_alignedOnce = false;
    emit changed();
    match();
}

void RunPair::markAsA(TimeRange range)
{
    if (range == m_markedAsA)
        return;
    m_markedAsA = range;
    emit changed();
}

void RunPair::onTraceChanged()
{
    if (!m_on || m_a.isEmpty() || b().isEmpty())
        return;
    forget(); // it is of other reports
    emit changed();
    setMap({beginOf(Side::A), beginOf(Side::B), 1});
    if (m_a.workspace().isComplete() && b().workspace().isComplete())
        match();
}

Ns RunPair::beginOf(Side side)
{
    return narrowed(side).empty() ? session(side).session().start : narrowed(side).start;
}

/// What the runs are asked, as they are open now.
CompareRequest RunPair::request()
{
    CompareRequest request;
    request.wantEvents = true;
    for (const Side side : {Side::A, Side::B}) {
        SideRequest& asked = side == Side::A ? request.a : request.b;
        for (const OpenReport& report : session(side).workspace().reports())
            asked.reports.push_back({report.trace, report.label});
        if (!narrowed(side).empty())
            asked.range = session(side).workspace().reports().front().clock.toReport(narrowed(side));
    }
    return request;
}

void RunPair::match()
{
    if (m_a.isEmpty() || b().isEmpty() || !m_a.workspace().isComplete() || !b().workspace().isComplete())
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
            setRowPairs(std::move(matched.rows));
            orderRows();
            copyRows(Side::A);
            if (!std::exchange(m_alignedOnce, true))
                alignAtFirst();
            judge(); // before it is told that all is there
            emit this->matched();
        });
}

/// Every rule of every report takes longer than all the rest, so it comes behind.
void RunPair::judge()
{
    m_judging.start(
        [request = request(), comparison = m_comparison](const std::stop_token& stop) {
            auto judged = std::make_shared<Comparison>(*comparison);
            judged->findings = compareFindings(request, *comparison, stop);
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
    return steps;
}

void RunPair::forget()
{
    m_matching.cancel();
    m_judging.cancel();
    m_comparison = nullptr;
    ++m_number;
    m_steps = {};
    m_step.reset();
    setRowPairs({});
}

/// The one whose lengths are closest to the medians of both sides.
std::size_t RunPair::typicalStep() const
{
    const ComparedSide& a = m_comparison->sides.a;
    const ComparedSide& b = m_comparison->sides.b;
    const auto apart = [](const TimeRange& step, Ns median) {
        return std::abs(static_cast<double>(step.duration() - median))
            / static_cast<double>(std::max<Ns>(1, median));
    };
    std::size_t typical = 0;
    double least = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < stepCount(); ++i) {
        const double distance = apart(m_steps.a[i], a.median) + apart(m_steps.b[i], b.median);
        if (distance < least) {
            least = distance;
            typical = i;
        }
    }
    return typical;
}

void RunPair::alignAtFirst()
{
    m_step.reset();
    if (stepCount() > 0) {
        goToStep(typicalStep(), true);
        return;
    }
    const auto begin = [&](Side side) {
        const TimeRange part = narrowed(side).empty() ? session(side).session() : narrowed(side);
        // Ranges that the user chose begin where the user said.
        return narrowed(side).empty() ? firstKernel(session(side).workspace(), part) : part.start;
    };
    alignAt(begin(Side::A), begin(Side::B));
    // What is compared is from the first to the last GPU work.
    const auto compared = [&](Side side) {
        if (!narrowed(side).empty())
            return narrowed(side);
        TimeRange work;
        for (const ComparedGpu& gpu : m_comparison->sides[side].gpus) {
            const OpenReport& report
                = session(side).workspace().report(ReportId{static_cast<std::uint16_t>(gpu.report)});
            for (const ComparedStep& step : gpu.steps) {
                const TimeRange own = report.clock.toWorkspace(step.gpu);
                work = work.empty() ? own : work.unitedWith(own);
            }
        }
        return work.empty() ? session(side).session() : work;
    };
    const TimeRange a = compared(Side::A);
    const TimeRange b = compared(Side::B);
    m_a.goTo(a.unitedWith(m_map.toA(b)));
}

void RunPair::setMap(const TimeMap& map)
{
    m_map = map;
    const TimeRange reach = m_a.session().unitedWith(m_map.toA(b().session()));
    m_a.setReach(reach);
    b().setReach(m_map.toB(reach));
    follow(Side::A);
    emit aligned();
}

void RunPair::alignAt(Ns a, Ns b)
{
    m_step.reset();
    setMap({a, b, m_stretched ? m_map.scale : 1});
}

void RunPair::goTo(const Both<EventId>& events)
{
    if (events.a.valid() && events.b.valid())
        alignAt(m_a.workspace().range(events.a).start, b().workspace().range(events.b).start);
    if (events.a.valid())
        m_a.goToAtScale(events.a);
    if (!events.b.valid())
        return;
    if (!events.a.valid()) {
        b().goToAtScale(events.b);
        return;
    }
    b().reveal(b().workspace().rowOf(events.b));
    b().setCurrentEvent(events.b);
}

void RunPair::follow(Side moved)
{
    if (!m_on || m_following || m_a.isEmpty() || b().isEmpty())
        return;
    m_following = true;
    Session& leader = session(moved);
    Session& led = moved == Side::A ? b() : m_a;
    const TimeRange shown = leader.shown();
    led.show(moved == Side::A ? m_map.toB(shown) : m_map.toA(shown), false, Manner::Led);
    if (!leader.glide().isMoving())
        led.glide().finish();
    m_following = false;
}

std::size_t RunPair::stepCount() const
{
    return std::min(m_steps.a.size(), m_steps.b.size());
}

void RunPair::goToStep(std::size_t step, bool whole)
{
    if (step >= stepCount())
        return;
    const TimeRange a = m_steps.a[step];
    const TimeRange b = m_steps.b[step];
    const std::optional<std::size_t> before = std::exchange(m_step, step);
    const TimeRange shown = m_a.shown();
    const double scale = m_stretched && a.duration() > 0
        ? static_cast<double>(b.duration()) / static_cast<double>(a.duration())
        : 1;
    m_following = true; // not before A is there
    setMap({a.start, b.start, std::max(scale, 1e-6)});
    if (before && !whole) {
        const Ns by = a.start - m_steps.a[*before].start;
        m_a.show({shown.start + by, shown.end + by});
    } else {
        const Ns length = std::max(a.duration(), m_stretched ? Ns{0} : b.duration());
        const Ns room = std::max<Ns>(100, length / 25);
        m_a.show({a.start - room, a.start + length + room});
    }
    m_following = false;
    follow(Side::A);
}

void RunPair::moveStep(bool forward)
{
    if (stepCount() == 0)
        return;
    std::size_t from = 0;
    if (m_step) {
        from = *m_step;
    } else {
        const Ns middle = m_a.shown().start + m_a.shown().duration() / 2;
        while (from + 1 < stepCount() && m_steps.a[from].end <= middle)
            ++from;
        goToStep(from, true);
        return;
    }
    if (forward ? from + 1 < stepCount() : from > 0)
        goToStep(forward ? from + 1 : from - 1);
}

void RunPair::setStretched(bool stretched)
{
    if (stretched == m_stretched)
        return;
    m_stretched = stretched;
    if (m_step) {
        goToStep(*m_step, true);
        return;
    }
    // Aligned elsewhere: as long as the runs are, or their parts that are compared.
    const auto length = [&](Side side) {
        return (narrowed(side).empty() ? session(side).session() : narrowed(side)).duration();
    };
    const Ns a = length(Side::A);
    const Ns b = m_on ? length(Side::B) : 0;
    TimeMap map = m_map;
    map.scale = stretched && a > 0 && b > 0 ? static_cast<double>(b) / static_cast<double>(a) : 1;
    if (m_on)
        setMap(map);
    emit aligned();
}

RowId RunPair::partnerOf(Side side, RowId row) const
{
    const std::vector<RowId>& partners = m_partners[side];
    const auto place = raw(row);
    return place < partners.size() ? partners[place] : RowTree::root;
}

void RunPair::setRowPairs(std::vector<RowPair> pairs)
{
    m_rowPairs = std::move(pairs);
    m_partners = {};
    const auto note = [](std::vector<RowId>& partners, RowId row, RowId partner) {
        if (raw(row) >= partners.size())
            partners.resize(raw(row) + 1, RowTree::root);
        partners[raw(row)] = partner;
    };
    for (const RowPair& pair : m_rowPairs) {
        note(m_partners.a, pair.a, pair.b);
        note(m_partners.b, pair.b, pair.a);
    }
}

void RunPair::copyRows(Side from)
{
    if (!m_on || m_copying || m_rowPairs.empty())
        return;
    m_copying = true;
    const Session& own = session(from);
    Session& other = session(from == Side::A ? Side::B : Side::A);
    bool changes = false;
    {
        const QSignalBlocker quiet(&other); // one new layout, however many rows there are
        for (const RowPair& pair : m_rowPairs) {
            const RowId row = from == Side::A ? pair.a : pair.b;
            const RowId partner = from == Side::A ? pair.b : pair.a;
            if (other.isExpanded(partner) == own.isExpanded(row)
                && other.isHidden(partner) == own.isHidden(row)
                && other.isPinned(partner) == own.isPinned(row)
                && other.rowScale(partner) == own.rowScale(row))
                continue;
            changes = true;
            other.setExpanded(partner, own.isExpanded(row));
            other.setHidden(partner, own.isHidden(row));
            other.setPinned(partner, own.isPinned(row));
            other.setRowScale(partner, own.rowScale(row));
        }
    }
    if (changes)
        emit other.rowLayoutChanged();
    m_copying = false;
}

/// The rows of B stand as their partners in A do; those without one below them.
void RunPair::orderRows()
{
    m_copying = true;
    std::vector<RowId> parents{RowTree::root};
    for (const RowPair& pair : m_rowPairs)
        parents.push_back(pair.a);
    for (const RowId parent : parents) {
        std::vector<RowId> order;
        for (const RowId child : m_a.visibleChildren(parent)) {
            if (const RowId partner = partnerOf(Side::A, child); partner != RowTree::root)
                order.push_back(partner);
        }
        if (order.empty())
            continue;
        const RowId other = b().rows().row(order.front()).parent;
        for (const RowId child : b().rows().children(other)) {
            if (std::ranges::find(order, child) == order.end())
                order.push_back(child);
        }
        b().setRowOrder(order);
    }
    m_copying = false;
}

} // namespace warpline
