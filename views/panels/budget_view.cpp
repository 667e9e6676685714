#include "views/panels/budget_view.h"

#include "core/across/exact_waits.h"
#include "core/store/gpu_names.h"
#include "core/store/place_names.h"
#include "core/store/trace.h"
#include "views/panels/layouts.h"
#include "views/panels/step_choice.h"
#include "views/panels/table_columns.h"
#include "views/session/rank_judge.h"
#include "views/session/rule_settings.h"
#include "views/style/column_heads.h"
#include "views/style/rich_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSplitter>
#include <QTableWidget>

#include <algorithm>
#include <numeric>
#include <utility>

namespace warpline {

namespace {

enum BudgetColumn : int { PartColumn, StepColumn, StepShareColumn, RangeColumn, RangeShareColumn, Columns };

constexpr int leastName = 24; ///< letters of a part's name that narrow tables still show

Ns sumOf(const Budget& budget)
{
    return std::accumulate(budget.begin(), budget.end(), Ns{0});
}

QTableWidgetItem* numberItem(const QString& text)
{
    auto* const item = new QTableWidgetItem(text);
    item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return item;
}

} // namespace

BudgetView::BudgetView(Session& session, const Theme& theme, QWidget* parent)
    : StepsView(session, theme, parent),
      m_choices(new QWidget(this)),
      m_gpu(new QComboBox(m_choices)),
      m_scale(new QComboBox(m_choices)),
      m_splitter(new QSplitter(Qt::Horizontal, this)),
      m_bars(new BudgetBars(theme, this)),
      m_table(new QTableWidget(0, Columns, this))
{
    m_gpu->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    constexpr int gpuLetters = 12;
    letShrink(*m_gpu, gpuLetters);
    m_scale->addItems({tr("Time"), tr("Share")});
    m_scale->setToolTip(tr("Show bars by time or by share"));
    m_table->setHorizontalHeaderLabels(
        {tr("Part"), tr("Steady step"), tr("Share"), tr("Range"), tr("Share")});
    for (int head = 0; head < m_table->columnCount(); ++head) {
        QTableWidgetItem* const item = m_table->horizontalHeaderItem(head);
        item->setToolTip(columnTip(item->text()));
        item->setTextAlignment((head == PartColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    stylePlainTable(*m_table);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(PartColumn, QHeaderView::Interactive);
    m_table->setColumnWidth(PartColumn, m_table->fontMetrics().horizontalAdvance(QString(leastName, 'x')));
    stretchColumn(*m_table, PartColumn);
    fillLayout(new QHBoxLayout(m_choices), {0, 0, 0, 0}, styleSpacing, {m_gpu, m_scale});
    auto* const left = makeTextColumn(this, m_legend, m_bars);
    fillSplitter(*m_splitter, {{left, 1}, {m_table, 1}}, {500, 600});
    // The free room is for when the splitter is not shown.
    fillColumn(this, 3, {{m_splitter, 1}, freeRoom});
    connect(m_gpu, &QComboBox::currentIndexChanged, this, [this] {
        draw();
        emit answered();
    });
    connect(m_scale, &QComboBox::currentIndexChanged, this, &BudgetView::draw);
    connect(m_bars, &BudgetBars::stepChosen, this, &BudgetView::goToStep);
    connect(&m_session.judgement().ranks(), &RankJudge::changed, this, [this] {
        const bool isJudged
            = m_session.judgement().ranks().across() && m_session.judgement().ranks().across()->judged;
        if (m_session.trace().complete && (isJudged || (m_answer && m_answer->knowsWaits)))
            evaluate();
    });
    m_job.onFailure([this] {
        m_answer = nullptr;
        listGpus();
        emit answered();
    });
    draw();
}

void BudgetView::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_bars->setTheme(theme);
    draw();
}

void BudgetView::clear()
{
    m_job.cancel();
    m_answer = nullptr;
    listGpus();
}

void BudgetView::refresh()
{
    if (rowScopeOf(m_session) != m_scope)
        listGpus();
    else
        fillTable();
}

void BudgetView::evaluate()
{
    m_job.start(
        [trace = m_session.sharedTrace(), pattern = m_session.judgement().stepGlob(), slow = chosenLimits(),
            across = m_session.judgement().ranks().sharedAcross(),
            report = m_session.report().id](const std::stop_token& stop) {
            const TimeRange whole{trace->session.start, trace->session.end + 1};
            auto answer = std::make_shared<BudgetAnswer>();
            // The reports of other ranks show how long communication really waited.
            const KnownWaits waits = across ? exactWaitRanges(*trace, *across, report) : KnownWaits();
            answer->knowsWaits = !waits.empty();
            auto budgets = std::make_shared<GpuBudgets>(*trace, kernelClassRules(), stop, waits, pattern);
            answer->steps = stepBudgets(*trace, *budgets, findGpuSteps(*trace, whole, pattern, stop), slow);
            answer->budgets = std::move(budgets);
            return answer;
        },
        [this](std::shared_ptr<BudgetAnswer> answer) {
            m_answer = std::move(answer);
            listGpus();
            emit answered();
        });
}

/// Lists a line for each GPU and thread with steps in the scope; without steps one per GPU.
void BudgetView::listGpus()
{
    const QSignalBlocker quiet(m_gpu);
    const QString before = m_gpu->currentText();
    m_gpu->clear();
    m_scope = rowScopeOf(m_session);
    if (m_answer) {
        const Trace& trace = m_session.trace();
        const auto add = [&](GlobalId process, std::int32_t device, std::size_t place) {
            if (m_scope.coversOrdinal(trace, process, device))
                m_gpu->addItem(textOf(gpuName(trace, process, device)) + ", "
                        + plainTextOf(processLabel(trace, process)),
                    QVariant::fromValue(place));
        };
        for (std::size_t i = 0; i < m_answer->steps.size(); ++i)
            add(m_answer->steps[i].found.process, m_answer->steps[i].found.device, i);
        m_listsSteps = m_gpu->count() > 0;
        for (std::size_t i = 0; !m_listsSteps && i < m_answer->budgets->gpus().size(); ++i)
            add(m_answer->budgets->gpus()[i].process, m_answer->budgets->gpus()[i].device, i);
        const StepBudgets* const main = m_listsSteps ? mainOf(m_answer->steps) : nullptr;
        int line = before.isEmpty() ? -1 : m_gpu->findText(before); // other steps of the same GPU
        if (line < 0 && main)
            line = m_gpu->findData(
                QVariant::fromValue(static_cast<std::size_t>(main - m_answer->steps.data())));
        m_gpu->setCurrentIndex(m_gpu->count() > 0 ? std::max(0, line) : -1);
    }
    m_gpu->setVisible(m_gpu->count() > 1);
    draw();
}

std::size_t BudgetView::place() const
{
    return m_gpu->currentData().value<std::size_t>();
}

const StepBudgets* BudgetView::chosen() const
{
    return m_answer && m_listsSteps && m_gpu->currentIndex() >= 0 ? &m_answer->steps[place()] : nullptr;
}

const GpuBudget* BudgetView::chosenGpu() const
{
    if (!m_answer || m_gpu->currentIndex() < 0)
        return nullptr;
    if (const StepBudgets* const steps = chosen())
        return m_answer->budgets->find(steps->found.process, steps->found.device);
    return &m_answer->budgets->gpus()[place()];
}

void BudgetView::goToStep(std::size_t index)
{
    const StepBudgets* const steps = chosen();
    if (!steps || index >= steps->steps.size())
        return;
    const StepBudget& step = steps->steps[index];
    m_session.selection().goTo(m_session.idOf(step.event));
    m_session.selection().selectRows({});
    m_session.time().selectRange(m_session.sharedTime(step.gpu.empty() ? step.host : step.gpu));
    m_session.time().goTo(
        m_session.sharedTime(step.gpu.empty() ? step.host : step.gpu.unitedWith(step.host)));
}

QString BudgetView::summary() const
{
    if (!m_session.trace().complete)
        return {};
    if (!m_answer)
        return m_job.failure().isEmpty() ? tr("Analyzing\u2026") : m_job.failure().toHtmlEscaped();
    const StepBudgets* const steps = chosen();
    if (!steps)
        return m_answer->budgets->gpus().empty() ? tr("No GPU work in this report.")
            : m_gpu->count() == 0                ? tr("The selected rows have no GPU work.")
            : m_session.judgement().stepGlob().empty()
            ? tr("No steps found. The parts are those of the range.")
            : m_session.judgement().lacksSteps()
            ? noStepsHtml(m_session.judgement())
            : tr("<a href='%2'>Detect steps automatically</a>. No NVTX range named <b>%1</b> launches "
                 "GPU work.") // the end may be cut
                  .arg(shownGlob(m_session.judgement()), stepsAutoLink);
    QStringList words{textOf(steps->found.host.pattern),
        steps->steps.size() == 1 ? tr("1 step") : tr("%1 steps").arg(steps->steps.size()),
        steps->found.gpu.empty()
            ? tr("last step: %1 on the GPU, to the end of its work")
                  .arg(roundedText(steps->found.last.duration()))
            : tr("median %1 on the GPU, %2 on the host")
                  .arg(roundedText(steps->found.median), roundedText(steps->medianHost))};
    if (steps->found.foundBy != StepSource::Nvtx)
        words << tr("a guess");
    const Ns drawn = m_bars->highest();
    const auto cut = std::ranges::count_if(
        steps->steps, [&](const StepBudget& step) { return step.warmUp && step.gpu.duration() > drawn; });
    if (cut > 0 && m_scale->currentIndex() == 0)
        words << tr("%1 warm-up (bar cut off)").arg(cut);
    const auto outliers = std::ranges::count_if(steps->steps, &StepBudget::outlier);
    if (m_answer->knowsWaits)
        words << tr("waits from the reports of the other ranks");
    if (outliers > 0) {
        const QString first = textOf(std::ranges::find_if(steps->steps, &StepBudget::outlier)->name);
        words << (outliers == 1 ? tr("1 outlier: %1").arg(first)
                                : tr("%1 outliers, first: %2").arg(outliers).arg(first));
    }
    // The last ends with its work, as no next one begins: its bar is no shorter step.
    if (steps->steps.size() > 1 && !steps->steps.back().whole)
        words << (steps->steps.back().name == steps->steps.front().name
                ? tr("last step: only to the end of its work")
                : tr("%1: only to the end of its work").arg(textOf(steps->steps.back().name)));
    return words.join(" \u00b7 ").toHtmlEscaped();
}

QString BudgetView::summaryTip() const
{
    return tr(
        "A GPU step lasts from its first work to the first work of the next step. If the host delays the next step, that time counts here as part of the previous one. An outlier is a step whose own range, or own GPU work, takes long.");
}

void BudgetView::draw()
{
    const bool any = chosen() != nullptr;
    m_bars->setSteps(any ? m_answer : nullptr, any ? place() : 0);
    m_bars->setShares(m_scale->currentIndex() == 1);
    m_scale->setVisible(any); // of the bars
    QStringList legend;
    for (const BudgetSlice& slice : m_bars->slices()) {
        if (any && slice.timeOf(chosen()->mean) > 0)
            legend << QString("<span style='color:%1'>\u25a0</span>&nbsp;%2")
                          .arg(slice.color.name(), unbrokenHtml(slice.title));
    }
    if (any && m_scale->currentIndex() == 0)
        legend << "<b>\u2014</b>&nbsp;" + unbrokenHtml(tr("range on the host"));
    m_legend->setText(spacedHtml(legend));
    m_legend->parentWidget()->setVisible(any); // bars and their legend: only with steps
    m_table->setColumnHidden(StepColumn, !any);
    m_table->setColumnHidden(StepShareColumn, !any);
    m_splitter->setVisible(!m_answer || m_gpu->count() > 0);
    fillTable();
}

/// The parts that the steady steps or the range have, the largest first.
void BudgetView::fillTable()
{
    m_table->setRowCount(0);
    const GpuBudget* const gpu = chosenGpu();
    if (!gpu)
        return;
    const BudgetParts& parts = m_answer->budgets->parts();
    const Budget range = gpu->within(m_session.ownTime(m_session.time().window()));
    const Budget mean = chosen() ? chosen()->mean : Budget(range.size(), 0);
    const Ns wholeRange = sumOf(range);
    const Ns wholeStep = sumOf(mean);
    std::vector<std::size_t> used;
    for (std::size_t part = 0; part < range.size(); ++part) {
        if (range[part] > 0 || mean[part] > 0)
            used.push_back(part);
    }
    std::ranges::stable_sort(
        used, {}, [&](std::size_t part) { return std::pair(-mean[part], -range[part]); });
    m_table->setRowCount(static_cast<int>(used.size()));
    const auto share = [](Ns part, Ns whole) {
        return whole > 0 ? shareText(static_cast<double>(part) / static_cast<double>(whole)) : QString();
    };
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const std::size_t part = used[static_cast<std::size_t>(row)];
        auto* const title = new QTableWidgetItem(plainTextOf(parts[part].title));
        for (const BudgetSlice& slice : m_bars->slices()) {
            if (std::ranges::find(slice.parts, part) != slice.parts.end()) // its own, or that of all the rest
                title->setData(Qt::DecorationRole, slice.color);
        }
        title->setToolTip(plainTip(title->text())); // it may be cut
        m_table->setItem(row, PartColumn, title);
        m_table->setItem(row, StepColumn, numberItem(wholeStep > 0 ? durationText(mean[part]) : QString()));
        m_table->setItem(row, StepShareColumn, numberItem(share(mean[part], wholeStep)));
        m_table->setItem(row, RangeColumn, numberItem(durationText(range[part])));
        m_table->setItem(row, RangeShareColumn, numberItem(share(range[part], wholeRange)));
    }
    m_table->horizontalHeaderItem(RangeColumn)
        ->setText(m_session.time().selectedRange().empty() ? tr("Shown range") : tr("Selected range"));
}

} // namespace warpline
