// Where a GPU's time went: disjoint parts that add up, against a second way to tell each moment.

#include "core/budget/step_budgets.h"
#include "core/coverage/gpu_times.h"
#include "core/findings/host_activity.h"
#include "core/load/load_report.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/report_fixture.h"

#include <QTest>

#include <numeric>
#include <random>
#include <set>

using namespace warpline;
using namespace warpline::test;

namespace {

TimeRange wholeOf(const Trace& trace)
{
    return {trace.session.start, trace.session.end + 1};
}

Ns sumOf(const Budget& budget)
{
    return std::accumulate(budget.begin(), budget.end(), Ns{0});
}

/// The parts of `budget` that have time, by id.
std::map<std::string, Ns> named(const GpuBudgets& budgets, const Budget& budget)
{
    std::map<std::string, Ns> parts;
    for (std::size_t part = 0; part < budget.size(); ++part) {
        if (budget[part] != 0)
            parts[budgets.parts()[part].id] = budget[part];
    }
    return parts;
}

using Named = std::map<std::string, Ns>;

/// A random program, and what it does at any moment told the slow way: by looking at everything.
class RandomProgram {
public:
    explicit RandomProgram(unsigned seed)
        : m_random(seed)
    {
        const Ns end = 400 * unit;
        for (int i = 0; i < 25; ++i)
            addWork(end);
        for (int i = 0; i < 6; ++i) {
            const Ns start = (i * 66 + pick(0, 20)) * unit + ++m_count;
            const TimeRange outer{start, start + pick(1, 40) * unit};
            addRange(i % 2 == 0 ? "data_load" : "prepare_" + std::to_string(i), outer);
            const Ns half = outer.duration() / 2;
            if (half > 10)
                addRange("inner", {outer.start + 3, outer.start + half});
        }
        for (int i = 0; i < 12; ++i)
            addHost(end);
        m_trace = m_drawn.finish();
    }

    const Trace& trace() const { return *m_trace; }

    /// The id of the part that counts at `time`; `session` is the budget's.
    std::string partAt(Ns time) const
    {
        if (const std::string busy = busyAt(time); !busy.empty())
            return busy;
        return idleAt(time);
    }

    std::vector<Ns> boundaries() const
    {
        std::set<Ns> times;
        for (const Work& work : m_works)
            times.insert({work.runs.start, work.runs.end, work.call.start, work.call.end});
        for (const auto& list : {m_ranges, m_host}) {
            for (const Doing& each : list)
                times.insert({each.when.start, each.when.end});
        }
        return {times.begin(), times.end()};
    }

private:
    static constexpr Ns unit = 100 * us;

    struct Work {
        TimeRange runs;
        TimeRange call;
        std::uint32_t tid = 1;
        int rank = 0; ///< the lowest that runs counts
        std::string part;
        IdleCause calling = IdleCause::Launch;
    };
    struct Doing {
        TimeRange when;
        std::uint32_t tid = 1;
        IdleCause doing = IdleCause::OwnCode;
        std::string name;
    };

    Ns pick(Ns low, Ns high) { return std::uniform_int_distribution<Ns>(low, high)(m_random); }
    /// Starts are distinct, so that one piece of work ends an idle stretch.
    TimeRange anyRange(Ns end, Ns longest)
    {
        const Ns start = pick(0, end / unit) * unit + ++m_count;
        return {start, start + pick(1, longest / us) * us};
    }

    void addWork(Ns end)
    {
        struct Look {
            std::string_view name;
            std::string_view part;
        };
        // In the order of precedence.
        static constexpr std::array<Look, 4> looks{
            {{"flash_fwd_kernel", "compute_attention"}, {"my_gemm_kernel", "compute_gemm"},
                {"softmax_warp_forward", "compute_softmax"}, {"mystery", "compute_unclassified"}}};
        Work work;
        work.runs = anyRange(end, 8 * unit);
        const Ns launched = std::max<Ns>(0, work.runs.start - pick(0, 12) * unit / 2);
        const int kind = static_cast<int>(pick(0, 6));
        if (kind < 4) {
            work.rank = kind;
            work.part = looks[static_cast<std::size_t>(kind)].part;
            work.tid = static_cast<std::uint32_t>(pick(1, 2));
            work.call = {launched, launched + 2 * us};
            m_drawn.kernel(looks[static_cast<std::size_t>(kind)].name, launched, work.runs,
                {.stream = static_cast<std::int32_t>(pick(1, 3)), .tid = work.tid});
        } else if (kind < 6) {
            work.rank = kind;
            work.part = kind == 4 ? "copy_to_gpu" : "copy_to_host";
            work.call = {launched, launched + pick(1, 9) * 10 * us};
            work.calling = IdleCause::CopyCall;
            m_drawn.copy(
                work.call, work.runs, {.kind = kind == 4 ? CopyKind::HtoD : CopyKind::DtoH, .stream = 20});
        } else {
            work.rank = 6;
            work.part = "set";
            work.call = work.runs;
            work.calling = IdleCause::CopyCall;
            m_drawn.set("cudaMemsetAsync", MemoryKind::Device, work.runs);
        }
        m_works.push_back(work);
    }

    void addRange(const std::string& name, TimeRange when)
    {
        m_drawn.range(name, when);
        m_ranges.push_back(
            {when, 1, isDataLoading(name) ? IdleCause::DataLoading : IdleCause::OwnCode, name});
    }

    void addHost(Ns end)
    {
        const TimeRange when = anyRange(end, 30 * unit);
        const auto tid = static_cast<std::uint32_t>(pick(1, 2));
        struct Look {
            std::string_view name;
            IdleCause doing;
        };
        static constexpr std::array<Look, 4> calls{
            {{"cudaStreamSynchronize", IdleCause::HostWait}, {"cudaMalloc", IdleCause::Allocation},
                {"cuModuleLoadData", IdleCause::CodeLoading}, {"cudaEventQuery", IdleCause::Launch}}};
        const auto kind = static_cast<std::size_t>(pick(0, 6));
        if (kind < 4)
            m_drawn.call(calls[kind].name, when, tid);
        else if (kind == 4)
            m_drawn.event(EventKind::OsRuntime, "nanosleep", when, tid);
        else if (kind == 5)
            m_drawn.event(EventKind::Overhead, "flush", when, tid);
        else
            m_drawn.libraryCall("MPI", "MPI_Wait", when, tid);
        constexpr std::array rest{IdleCause::OsCall, IdleCause::Profiler, IdleCause::OtherRanks};
        m_host.push_back({when, tid, kind < 4 ? calls[kind].doing : rest[kind - 4], {}});
    }

    std::string busyAt(Ns time) const
    {
        const Work* best = nullptr;
        for (const Work& work : m_works) {
            if (work.runs.contains(time) && (!best || work.rank < best->rank))
                best = &work;
        }
        return best ? best->part : std::string();
    }

    /// What `tid` does at `time`, and in which range.
    std::pair<IdleCause, std::string> hostAt(Ns time, std::uint32_t tid) const
    {
        IdleCause doing = IdleCause::NoWork;
        for (const Work& work : m_works) {
            if (work.tid == tid && work.call.contains(time))
                doing = std::min(doing, work.calling);
        }
        for (const Doing& each : m_host) {
            if (each.tid == tid && each.when.contains(time))
                doing = std::min(doing, each.doing);
        }
        const Doing* inner = nullptr;
        const Doing* loading = nullptr;
        for (const Doing& each : m_ranges) {
            if (each.tid != tid || !each.when.contains(time))
                continue;
            inner = !inner || each.when.start >= inner->when.start ? &each : inner;
            if (each.doing == IdleCause::DataLoading)
                loading = !loading || each.when.start >= loading->when.start ? &each : loading;
        }
        if (loading)
            doing = std::min(doing, IdleCause::DataLoading);
        if (doing == IdleCause::DataLoading)
            return {doing, loading->name};
        if (inner && doing >= IdleCause::OwnCode)
            return {IdleCause::OwnCode, inner->name};
        return {doing == IdleCause::NoWork ? IdleCause::OwnCode : doing, {}};
    }

    std::string rangeAt(Ns time, std::uint32_t tid) const
    {
        const Doing* inner = nullptr;
        for (const Doing& each : m_ranges) {
            if (each.tid == tid && each.when.contains(time))
                inner = !inner || each.when.start >= inner->when.start ? &each : inner;
        }
        return inner ? inner->name : std::string();
    }

    /// hostAt(), with own code before code is loaded, in the same range and before `until`, as loading.
    std::pair<IdleCause, std::string> hostWithin(Ns time, Ns until, std::uint32_t tid) const
    {
        const auto now = hostAt(time, tid);
        if (now.first != IdleCause::OwnCode && now.first != IdleCause::OsCall)
            return now;
        for (const Ns later : boundaries()) {
            if (later <= time)
                continue;
            if (later >= until || rangeAt(later, tid) != rangeAt(time, tid))
                break;
            const IdleCause doing = hostAt(later, tid).first;
            if (doing == IdleCause::CodeLoading)
                return {IdleCause::CodeLoading, {}};
            if (doing != IdleCause::OwnCode && doing != IdleCause::OsCall)
                break;
        }
        return now;
    }

    std::string idleAt(Ns time) const
    {
        Ns from = m_trace->session.start;
        const Work* next = nullptr;
        for (const Work& work : m_works) {
            if (work.runs.end <= time)
                from = std::max(from, work.runs.end);
            if (work.runs.start > time && (!next || work.runs.start < next->runs.start))
                next = &work;
        }
        static const BudgetParts parts{kernelClassRules()};
        if (!next)
            return parts[parts.idle(IdleCause::NoWork)].id;
        const TimeRange gap{from, next->runs.start};
        const bool before = next->call.start < gap.start;
        if (time >= next->call.end)
            return parts[parts.idle(before ? IdleCause::Queued : IdleCause::Launch)].id;
        if (before)
            return parts[parts.idle(IdleCause::Launch)].id;
        const auto [doing, name] = hostWithin(time, std::min(gap.end, next->call.end), next->tid);
        const bool own = doing == IdleCause::OwnCode || doing == IdleCause::OsCall;
        if (own && isPace(gap, std::min(gap.end, next->call.end), next->tid))
            return parts[parts.idle(IdleCause::Launch)].id;
        const std::string id = parts[parts.idle(doing)].id;
        return name.empty() ? id : id + ":" + withoutNumbers(name);
    }

    bool isPace(TimeRange gap, Ns until, std::uint32_t tid) const
    {
        if (gap.duration() >= 1 * ms)
            return false;
        std::map<IdleCause, Ns> by;
        std::vector<Ns> times{gap.start, until};
        for (const Ns time : boundaries()) {
            if (time > gap.start && time < until)
                times.push_back(time);
        }
        std::ranges::sort(times);
        for (std::size_t i = 1; i < times.size(); ++i)
            by[hostWithin(times[i - 1], until, tid).first] += times[i] - times[i - 1];
        const auto most = std::ranges::max_element(by, {}, [](const auto& each) { return each.second; });
        return most->first == IdleCause::Launch || most->first == IdleCause::OwnCode
            || most->first == IdleCause::OsCall;
    }

    std::mt19937 m_random;
    Ns m_count = 0;
    DrawnProgram m_drawn;
    std::vector<Work> m_works;
    std::vector<Doing> m_ranges;
    std::vector<Doing> m_host;
    std::shared_ptr<const Trace> m_trace;
};

/// The reports of deep learning and of loops that have steps.
void addReportsWithSteps()
{
    QTest::addColumn<QString>("name");
    for (const char* const name :
        {"bert_fp32", "bert_amp", "bert_metrics", "cnn_workers0", "cnn_workers8", "cnn_sampled", "decode",
            "ddp_2gpu", "ddp_overlap_rank0", "ddp_overlap_rank1", "ddp_straggler_rank0",
            "ddp_straggler_rank1", "launch_eager", "h200-more/vit", "h200-more/cnn_gil",
            "h200-more/ddp_json_rank0", "h200-more/ddp_json_rank1", "h200-more/llama_bf16",
            "h200-more/fsdp_rank0", "h200-more/fsdp_rank1", "h200-more/pipe_rank0", "h200-more/pipe_rank1",
            "h200-more/graph_nvtx", "h200-more/halo8/rank0", "h200-more/halo8/rank3", "h200-more/halo_one"})
        QTest::newRow(name) << QString(name);
}

std::shared_ptr<const Trace> load(const std::string& path)
{
    auto trace = loadReport(path);
    return trace.ok() ? trace.take() : nullptr;
}

} // namespace

class GpuBudgetTest : public QObject {
    Q_OBJECT

private slots:
    void tellsWhatTheGpuDoes()
    {
        DrawnProgram drawn;
        drawn.kernel("my_gemm", 0, {10 * us, 30 * us});
        drawn.kernel("flash_fwd_kernel", 1 * us, {20 * us, 40 * us}, {.stream = 8}); // hides the product
        drawn.copy({50 * us, 52 * us}, {35 * us, 60 * us}); // 20 us of it beside attention
        const auto trace = drawn.finish();
        const GpuBudgets budgets(*trace);
        QCOMPARE(budgets.gpus().size(), std::size_t{1});
        const Budget budget = budgets.gpus()[0].within({0, 60 * us});
        QCOMPARE(named(budgets, budget),
            (Named{{"compute_gemm", 10 * us}, {"compute_attention", 20 * us}, {"copy_to_gpu", 20 * us},
                {"idle_launch", 10 * us}}));
        QCOMPARE(budgets.gpus()[0].stretchesOf(budgets.parts().copyToGpu(), {0, 60 * us}),
            (Intervals{{40 * us, 60 * us}}));
    }

    void namesTheRangeOfIdleTime()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 4; ++i) {
            const Ns at = 100 * ms * i;
            drawn.range("step_" + std::to_string(i), {at, at + 100 * ms});
            // Sleeps and computes: one cause, in one range.
            drawn.range("load", {at + 5 * ms, at + 65 * ms});
            drawn.event(EventKind::OsRuntime, "nanosleep", {at + 10 * ms, at + 40 * ms});
            drawn.range("augment_" + std::to_string(i), {at + 70 * ms, at + 75 * ms});
            drawn.event(EventKind::OsRuntime, "read", {at + 71 * ms, at + 72 * ms});
            drawn.kernel("my_gemm", at + 75 * ms, {at + 75 * ms + 2 * us, at + 105 * ms});
        }
        const auto trace = drawn.finish();
        const GpuBudgets budgets(*trace);
        const auto steps = stepBudgets(*trace, budgets, findGpuSteps(*trace, wholeOf(*trace)));
        QCOMPARE(steps.size(), std::size_t{1});
        const Named parts = named(budgets, steps[0].steps[1].budget);
        // From 105 ms after the step before to 75 ms: 5 ms into the step on.
        QCOMPARE(parts.at("idle_data_loading:load"), 60 * ms);
        QCOMPARE(parts.at("idle_own_code:augment_#"), 5 * ms);
        QCOMPARE(parts.at("idle_own_code:step_#"), 5 * ms);
        QCOMPARE(sumOf(steps[0].steps[1].budget), 100 * ms);
    }

    void queuedWorkIsNotLaunching()
    {
        DrawnProgram drawn;
        drawn.kernel("a_gemm", 0, {10 * us, 20 * us});
        drawn.kernel("b_gemm", 5 * us, {50 * us, 60 * us}); // launched long before: it waited for something
        drawn.kernel("c_gemm", 70 * us, {75 * us, 80 * us}); // launched when the GPU was done
        const auto trace = drawn.finish();
        const GpuBudgets budgets(*trace);
        QCOMPARE(named(budgets, budgets.gpus()[0].within({10 * us, 80 * us})),
            (Named{{"compute_gemm", 25 * us}, {"idle_queued", 30 * us}, {"idle_launch", 15 * us}}));
    }

    void waitingForOthersIsApart()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 4; ++i) {
            const Ns at = 10 * ms * i;
            drawn.kernel("my_gemm", at, {at + 1 * ms, at + 2 * ms});
            // The fastest takes 1 ms: what is beyond is waiting; 0.5 ms of the last lies under a product.
            drawn.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096>)", at + 1,
                {at + 2 * ms, at + 3 * ms + i * ms}, {.stream = 9});
        }
        const auto trace = drawn.finish();
        const GpuBudgets budgets(*trace);
        const Named parts = named(budgets, budgets.gpus()[0].within({0, 40 * ms}));
        QCOMPARE(parts.at("communication_transfer"), 4 * ms);
        QCOMPARE(parts.at("communication_wait"), 6 * ms);
        QCOMPARE(parts.at("compute_gemm"), 4 * ms);
    }

    void outsideOfTheSessionIsIdle()
    {
        DrawnProgram drawn;
        drawn.kernel("my_gemm", 0, {10, 20});
        const auto trace = drawn.finish();
        const GpuBudgets budgets(*trace);
        const Budget budget = budgets.gpus()[0].within({-100, 100});
        QCOMPARE(sumOf(budget), Ns{200});
        QCOMPARE(named(budgets, budget).at("compute_gemm"), Ns{10});
        QCOMPARE(sumOf(budgets.gpus()[0].within({50, 40})), Ns{0});
        QVERIFY(GpuBudgets(Trace()).gpus().empty());
    }

    void equalsBruteForce_data()
    {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 60; ++seed)
            QTest::newRow(qPrintable(QString::number(seed))) << seed;
    }

    void equalsBruteForce()
    {
        QFETCH(unsigned, seed);
        const RandomProgram program(seed);
        const GpuBudgets budgets(program.trace());
        QCOMPARE(budgets.gpus().size(), std::size_t{1});
        const GpuBudget& gpu = budgets.gpus()[0];
        std::vector<Ns> times = program.boundaries();
        times.push_back(times.back() + 100); // no work follows
        Named whole;
        for (std::size_t i = 1; i < times.size(); ++i) {
            const TimeRange piece{times[i - 1], times[i]};
            if (piece.start < program.trace().session.start)
                continue;
            const std::string expected = program.partAt(piece.start);
            const Named told = named(budgets, gpu.within(piece));
            QVERIFY2(told == (Named{{expected, piece.duration()}}),
                qPrintable(QString("at %1: expected %2, told %3")
                               .arg(piece.start)
                               .arg(QString::fromStdString(expected),
                                   QString::fromStdString(told.empty() ? "nothing" : told.begin()->first))));
            QCOMPARE(budgets.parts()[gpu.partAt(piece.start)].id, expected);
            whole[expected] += piece.duration();
        }
        QCOMPARE(named(budgets, gpu.within({program.trace().session.start, times.back()})), whole);
    }

    void stepsAddUpOnReports_data() { addReportsWithSteps(); }
    void stepsAddUpOnReports()
    {
        QFETCH(QString, name);
        const std::string path = sharedReport(name.toStdString());
        if (path.empty())
            QSKIP("../shared/reports is not here");
        const auto trace = load(path);
        QVERIFY(trace);
        const GpuBudgets budgets(*trace);
        const auto all = stepBudgets(*trace, budgets, findGpuSteps(*trace, wholeOf(*trace)));
        QVERIFY(!all.empty());
        std::size_t checked = 0;
        for (const StepBudgets& steps : all) {
            QVERIFY(steps.steady > 0);
            Ns meanSum = sumOf(steps.mean);
            Ns total = 0;
            for (const StepBudget& step : steps.steps) {
                QCOMPARE(sumOf(step.budget), step.gpu.duration());
                total += step.whole && !step.warmUp ? step.gpu.duration() : 0;
                if (step.gpu.empty() || ++checked > 200)
                    continue;
                // The same split by the algebra of intervals.
                const auto times = gpuTimes(*trace, step.gpu);
                const auto of = times.find({steps.found.process, steps.found.device});
                QVERIFY(of != times.end());
                const GpuSplit split = splitOf(of->second, step.gpu);
                const auto group
                    = [&](BudgetGroup each) { return totalOf(budgets.parts(), step.budget, each); };
                QCOMPARE(group(BudgetGroup::Compute), split.computing);
                QCOMPARE(group(BudgetGroup::Communication), split.communicating);
                QCOMPARE(group(BudgetGroup::Copies), split.copying + split.stalled);
                QCOMPARE(group(BudgetGroup::Idle), split.idle);
            }
            QCOMPARE(meanSum, total / static_cast<Ns>(steps.steady));
        }
    }
};

QTEST_APPLESS_MAIN(GpuBudgetTest)
#include "tst_gpu_budget.moc"
