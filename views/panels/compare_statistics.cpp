#include "views/panels/compare_statistics.h"

#include "core/base/stop.h"
#include "core/compare/compare_stats.h"
#include "core/render/render.h"
#include "views/panels/layouts.h"
#include "views/panels/table_columns.h"
#include "views/style/empty_note.h"
#include "views/style/rich_text.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QTableView>

#include <algorithm>

namespace warpline {

namespace {

/// The tables that apply to either run, without those with one row per event, which show no change.
std::vector<std::string> tablesOf(const CompareRequest& request, const std::stop_token& stop)
{
    const auto applies = [](const StatsTable& table, const SideRequest& side) {
        return std::ranges::any_of(
            side.reports, [&](const SideReport& report) { return table.applies(*report.trace); });
    };
    std::vector<std::string> ids;
    for (const StatsTable* const table : allStatsTables()) {
        throwIfStopped(stop);
        if (table->shape != TableShape::Trace && (applies(*table, request.a) || applies(*table, request.b)))
            ids.emplace_back(table->id);
    }
    return ids;
}

} // namespace

CompareStatistics::CompareStatistics(QWidget* parent)
    : QWidget(parent),
      m_tables(new QComboBox(this)),
      m_search(new QLineEdit(this)),
      m_state(new QLabel(this)),
      m_table(new QTableView(this)),
      m_model(new StatsModel(this))
{
    m_tables->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_tables->setAccessibleName(tr("nsys table"));
    m_search->setPlaceholderText(tr("Search the table"));
    m_search->setClearButtonEnabled(true);
    styleTable(*m_table);
    m_table->setModel(m_model);
    auto* const bar = barLayout({m_tables, {m_search, 1}, m_state}, {4, 3, 4, 3});
    fillColumn(this, 0, {bar, {m_table, 1}});
    connect(m_search, &QLineEdit::textChanged, m_model, &StatsModel::setSearch);
    connect(m_tables, &QComboBox::currentIndexChanged, this, [this] {
        m_wanted = m_tables->currentData().toString();
        m_model->forgetSort();
        {
            const QSignalBlocker quiet(m_table->horizontalHeader());
            m_table->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
        }
        fill();
    });
    connect(m_model, &StatsModel::ordered, this, &CompareStatistics::showOrdered);
    new EmptyNote(*m_table, [this] { return m_filling.failure(); });
    m_filling.onFailure([this] {
        m_model->setCells(std::make_shared<const Cells>(), {});
        m_state->clear();
        emit updated();
    });
}

void CompareStatistics::setRequest(std::optional<CompareRequest> request)
{
    m_request = std::move(request);
    if (!m_request) {
        m_listing.cancel();
        fillList({});
        return;
    }
    m_listing.start([request = *m_request](const std::stop_token& stop) { return tablesOf(request, stop); },
        [this](const std::vector<std::string>& ids) { fillList(ids); });
}

void CompareStatistics::fillList(const std::vector<std::string>& ids)
{
    {
        const QSignalBlocker quiet(m_tables);
        m_tables->clear();
        for (const std::string& id : ids) {
            const StatsTable& table = *findStatsTable(id);
            m_tables->addItem(textOf(plain(table.titleText())), textOf(id));
            m_tables->setItemData(m_tables->count() - 1,
                textOf(id) + '\n' + textOf(plain(table.descriptionText())), Qt::ToolTipRole);
        }
        m_tables->setCurrentIndex(m_tables->count() > 0 ? std::max(0, m_tables->findData(m_wanted)) : -1);
    }
    fill();
}

void CompareStatistics::fill()
{
    const QString id = m_tables->currentData().toString();
    if (id != m_shown) // the table before must not stand under this one's name
        m_model->setCells(std::make_shared<const Cells>(), {});
    const StatsTable* const table = findStatsTable(id.toStdString());
    if (!m_request || !table) {
        m_filling.cancel();
        m_state->clear();
        emit updated();
        return;
    }
    m_state->setText(tr("Computing\u2026"));
    m_filling.start(
        [request = *m_request, table](const std::stop_token& stop) {
            return std::make_shared<const Cells>(compareStatsTable(request, *table, {}, stop));
        },
        [this, id](std::shared_ptr<const Cells> cells) {
            m_model->setCells(std::move(cells), {});
            if (std::exchange(m_shown, id) != id)
                m_model->forgetSort(); // initially the largest difference first
            m_model->showInOrder(m_model->cells());
        });
}

void CompareStatistics::showOrdered()
{
    const auto rows = static_cast<std::uint64_t>(m_model->rowCount());
    m_state->setText(rows == 0 ? tr("No rows")
            : rows == 1        ? tr("1 row")
                               : tr("%1 rows").arg(numberText(rows)));
    constexpr int widest = 420;
    fitColumns(*m_table, widest, true);
    emit updated();
}

} // namespace warpline
