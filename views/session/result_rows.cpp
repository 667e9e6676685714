#include "views/session/result_rows.h"

#include "core/sql/sql_session.h"
#include "core/store/trace.h"
#include "views/session/session.h"
#include "views/style/rich_text.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <utility>

namespace warpline {

namespace {

constexpr Ns maxTime = 1'000'000'000'000'000'000; // sums must stay numbers

/// The first of `names` that is a column of `cells`.
template <std::size_t count>
std::optional<std::size_t> columnOf(const Cells& cells, const std::array<std::string_view, count>& names)
{
    for (const std::string_view name : names) {
        const auto found = std::ranges::find(cells.columns, name, &Column::title);
        if (found != cells.columns.end())
            return static_cast<std::size_t>(found - cells.columns.begin());
    }
    return std::nullopt;
}

std::optional<Ns> timeIn(const std::vector<Cell>& row, std::optional<std::size_t> column)
{
    if (!column)
        return std::nullopt;
    const auto* const number = std::get_if<std::int64_t>(&row[*column]);
    return number ? std::optional(std::clamp(*number, -maxTime, maxTime)) : std::nullopt;
}

std::optional<double> numberIn(const std::vector<Cell>& row, std::optional<std::size_t> column)
{
    if (!column)
        return std::nullopt;
    if (const auto* const whole = std::get_if<std::int64_t>(&row[*column]))
        return static_cast<double>(*whole);
    const auto* const real = std::get_if<double>(&row[*column]);
    return real ? std::optional(*real) : std::nullopt;
}

/// The column of values: by name, else the first number that is not a time or an id.
std::optional<std::size_t> valueColumn(const Cells& cells, const std::vector<Cell>& row)
{
    constexpr std::array<std::string_view, 8> others{
        "start", "timestamp", "time", "rawTimestamp", "end", "duration", "rowid", "id"};
    if (const auto named = columnOf(cells, std::array<std::string_view, 1>{"value"});
        named && numberIn(row, named))
        return named;
    for (std::size_t column = 0; column < cells.columns.size(); ++column) {
        if (std::ranges::find(others, cells.columns[column].title) == others.end() && numberIn(row, column))
            return column;
    }
    return std::nullopt;
}

constexpr std::array<std::string_view, 4> startTitles{"start", "timestamp", "time", "rawTimestamp"};
constexpr const char* noColumn = QT_TRANSLATE_NOOP(
    "Warpline", "A timeline row needs a column start, timestamp or time, in nanoseconds.");
constexpr const char* noTime = QT_TRANSLATE_NOOP("Warpline", "No result has a time in whole nanoseconds.");
constexpr const char* noLines = QT_TRANSLATE_NOOP("Warpline", "The query has no results.");
constexpr const char* noneFound = QT_TRANSLATE_NOOP("Warpline", "No result contains the search text.");

/// Why there are no slices of `lines` lines of `cells`.
QString whyNoSlices(const Cells& cells, std::size_t lines)
{
    return QObject::tr(cells.rowCount() == 0 ? noLines : lines == 0 ? noneFound : noTime);
}

} // namespace

QString whyNoRow(const Cells& cells)
{
    const auto start = columnOf(cells, startTitles);
    if (!start)
        return QObject::tr(noColumn);
    for (std::size_t line = 0; line < cells.rowCount(); ++line) {
        if (std::holds_alternative<std::int64_t>(cells.at(line, *start)))
            return {};
    }
    return whyNoSlices(cells, cells.rowCount());
}

Result<ResultRow> resultRow(const Cells& cells, std::span<const std::uint32_t> order)
{
    const auto start = columnOf(cells, startTitles);
    if (!start)
        return Error{Message(QObject::tr(noColumn).toStdString())};
    const auto end = columnOf(cells, std::array<std::string_view, 1>{"end"});
    const auto duration = columnOf(cells, std::array<std::string_view, 1>{"duration"});
    const auto name = columnOf(cells, std::array<std::string_view, 4>{"name", "short_name", "text", "label"});
    ResultRow made;
    for (const std::uint32_t line : order) {
        const std::vector<Cell> row = cells.row(line);
        const auto from = timeIn(row, start);
        if (!from)
            continue;
        ResultSlice slice;
        const auto length = timeIn(row, duration);
        slice.range = {*from, std::max(*from, timeIn(row, end).value_or(*from + length.value_or(0)))};
        if (name) {
            if (const auto* const text = std::get_if<std::string>(&row[*name]))
                slice.name = textOf(*text);
        }
        slice.value = numberIn(row, valueColumn(cells, row));
        made.longest = std::max(made.longest, slice.range.duration());
        made.most = std::max(made.most, slice.value.value_or(0));
        made.slices.push_back(std::move(slice));
    }
    if (made.slices.empty())
        return Error{Message(whyNoSlices(cells, order.size()).toStdString())};
    std::ranges::stable_sort(made.slices, {}, [](const ResultSlice& slice) { return slice.range.start; });
    return made;
}

ResultRows::ResultRows(Session& session)
    : m_session(session)
{
    connect(&session, &Session::reportOpened, this, [this] {
        m_job.cancel();
        m_pending.clear();
        m_rows.clear();
        emit changed();
    });
}

void ResultRows::add(ResultRow row)
{
    // Long queries may begin alike, and one query may be of several reports.
    std::erase_if(m_pending, [&](const Pending& each) {
        const OpenReport* const report = m_session.workspace().find(each.trace);
        return report && report->id == row.report && row.isAlike(each.row);
    });
    const auto same = std::ranges::find_if(
        m_rows, [&](const ResultRow& each) { return each.report == row.report && row.isAlike(each); });
    if (same == m_rows.end())
        m_rows.push_back(std::move(row));
    else if (row.problem.isEmpty()) // else the one that is there has slices, or none as well
        *same = std::move(row);
    emit changed();
}

void ResultRows::rename(std::size_t place, const QString& title)
{
    if (place >= m_rows.size() || title.trimmed().isEmpty())
        return;
    m_rows[place].title = title.trimmed();
    emit changed();
}

void ResultRows::move(std::size_t place, int lines)
{
    if (place >= m_rows.size())
        return;
    const auto last = static_cast<int>(m_rows.size()) - 1;
    const int target = std::clamp(static_cast<int>(place) + lines, 0, last);
    ResultRow row = std::move(m_rows[place]);
    m_rows.erase(m_rows.begin() + static_cast<std::ptrdiff_t>(place));
    m_rows.insert(m_rows.begin() + target, std::move(row));
    emit changed();
}

void ResultRows::setScale(std::size_t place, double scale)
{
    if (place >= m_rows.size())
        return;
    m_rows[place].scale = std::clamp(scale, 1.0, RowState::maxScale);
    emit changed();
}

namespace {

/// The result of a request.
struct Answered {
    AskedRow asked;
    std::optional<ResultRow> row;
    Message problem;
};

std::vector<std::uint32_t> linesWith(const Cells& cells, const QString& text)
{
    std::vector<std::uint32_t> lines;
    for (std::uint32_t line = 0; line < cells.rowCount(); ++line) {
        const std::vector<Cell> row = cells.row(line);
        const bool holds = text.isEmpty() || std::ranges::any_of(row, [&](const Cell& cell) {
            const auto* const words = std::get_if<std::string>(&cell);
            return words && QString::fromStdString(*words).contains(text, Qt::CaseInsensitive);
        });
        if (holds)
            lines.push_back(line);
    }
    return lines;
}

/// `limits`: its time is that of all queries, and what this one takes is taken from it.
Answered askedAgain(
    const AskedRow& asked, const Trace& trace, sqlite::QueryLimits& limits, const std::stop_token& stop)
{
    Answered answered{asked, std::nullopt, {}};
    if (limits.time.count() == 0) {
        answered.problem = {"result_row.no_time", "The rows before it took all the time that rows have."};
        return answered;
    }
    auto session = SqlSession::open(trace.info);
    if (!session.ok()) {
        answered.problem = session.error().message;
        return answered;
    }
    const auto begin = std::chrono::steady_clock::now();
    const SqlAnswer answer = session.value().ask(asked.sql.toStdString(), limits, stop);
    limits.time -= std::min(limits.time,
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin));
    if (!answer.problem.empty()) {
        answered.problem = answer.problem;
        return answered;
    }
    const std::vector<std::uint32_t> lines = linesWith(answer.cells, asked.search);
    if (lines.empty()) { // not a failure
        answered.row.emplace().problem = whyNoSlices(answer.cells, 0);
        return answered;
    }
    auto row = resultRow(answer.cells, lines);
    if (row.ok())
        answered.row = row.take();
    else
        answered.problem = row.error().message;
    return answered;
}

} // namespace

void ResultRows::restore(const std::vector<AskedRow>& rows)
{
    m_job.cancel();
    m_pending.clear();
    m_rows.clear();
    emit changed();
    if (rows.empty())
        return;
    for (const AskedRow& row : rows)
        m_pending.push_back({row, m_session.workspace().report(row.report).trace});
    m_job.start(
        [pending = m_pending](const std::stop_token& stop) {
            std::vector<Answered> all;
            sqlite::QueryLimits limits; // for all: a stranger's view may have many
            for (std::size_t i = 0; i < pending.size() && !stop.stop_requested(); ++i)
                all.push_back(askedAgain(pending[i].row, *pending[i].trace, limits, stop));
            return all;
        },
        [this, pending = m_pending](std::vector<Answered> all) {
            m_pending.clear();
            for (std::size_t i = 0; i < all.size(); ++i) {
                Answered& each = all[i];
                const OpenReport* const report = m_session.workspace().find(pending[i].trace);
                if (!report)
                    continue; // it was removed meanwhile
                ResultRow row = each.row ? std::move(*each.row) : ResultRow();
                static_cast<AskedRow&>(row) = each.asked;
                row.report = report->id;
                if (!each.row) {
                    row.problem = plainTextOf(each.problem);
                    emit failed(tr("Row \u201c%1\u201d has no result: %2").arg(row.title, row.problem));
                }
                add(std::move(row));
            }
        });
}

std::vector<AskedRow> ResultRows::asked() const
{
    std::vector<AskedRow> all(m_rows.begin(), m_rows.end());
    for (const Pending& each : m_pending) {
        if (const OpenReport* const report = m_session.workspace().find(each.trace)) {
            all.push_back(each.row);
            all.back().report = report->id;
        }
    }
    return all;
}

void ResultRows::moveTo(const Workspace& before, const Workspace& next)
{
    std::erase_if(m_pending, [&next](const Pending& each) { return !next.find(each.trace); });
    if (m_rows.empty())
        return;
    const auto reportOf = [&](const ResultRow& row) { return next.find(before.report(row.report).trace); };
    std::erase_if(m_rows, [&](const ResultRow& row) { return !reportOf(row); });
    for (ResultRow& row : m_rows)
        row.report = reportOf(row)->id;
    emit changed();
}

void ResultRows::remove(std::size_t place)
{
    if (place >= m_rows.size())
        return;
    m_rows.erase(m_rows.begin() + static_cast<std::ptrdiff_t>(place));
    emit changed();
}

} // namespace warpline
