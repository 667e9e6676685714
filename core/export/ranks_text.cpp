#include "core/export/ranks_text.h"

#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/base/saturate.h"
#include "core/base/utf8.h"
#include "core/export/cells_text.h"
#include "core/export/html_text.h"
#include "core/export/page_words.h"
#include "core/render/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace warpline {

namespace {

bool isEmpty(const Cell& cell)
{
    const auto* const text = std::get_if<std::string>(&cell);
    return std::holds_alternative<std::monostate>(cell) || (text && text->empty());
}

/// `cells` as people read them: without columns that no row has anything in, times and sizes in units of
/// their own instead of in nanoseconds and bytes.
Cells readable(const Cells& cells)
{
    Cells shown;
    std::vector<std::size_t> kept;
    for (std::size_t column = 0; column < cells.columns.size(); ++column) {
        bool any = cells.rowCount() == 0;
        for (std::size_t row = 0; row < cells.rowCount() && !any; ++row)
            any = !isEmpty(cells.at(row, column));
        if (!any)
            continue;
        kept.push_back(column);
        Column title = cells.columns[column];
        if (title.unit == Unit::Nanoseconds || title.unit == Unit::Bytes)
            title = {title.title.substr(0, title.title.find(" (")), Unit::Text};
        shown.columns.push_back(std::move(title));
    }
    for (std::size_t row = 0; row < cells.rowCount(); ++row) {
        std::vector<Cell> values;
        for (const std::size_t column : kept) {
            Cell cell = cells.at(row, column);
            const Unit unit = cells.columns[column].unit;
            if (const auto* const number = std::get_if<std::int64_t>(&cell);
                number && unit == Unit::Nanoseconds)
                cell = formatDuration(*number);
            else if (number && unit == Unit::Bytes)
                cell = formatBytes(static_cast<std::uint64_t>(*number));
            values.push_back(std::move(cell));
        }
        shown.addRow(std::move(values));
    }
    return shown;
}

std::string rankText(const AcrossReport& across, std::uint32_t place)
{
    return place != noIndex ? across.ranks[place].label : std::string();
}

Cells reportCells(const AcrossReport& across)
{
    Cells cells;
    cells.columns = {{"Report", Unit::Text}, {"Host", Unit::Text}, {"Clock (ns)", Unit::Nanoseconds},
        {"+- (ns)", Unit::Nanoseconds}, {"Found by", Unit::Text}, {"Matches", Unit::Count},
        {"Note", Unit::Text}};
    for (const ReportAcross& report : across.reports) {
        const auto known = [&](Ns time) { return report.judged ? Cell(time) : Cell(); };
        cells.addRow({toUtf8(report.name), toUtf8(report.host), known(report.clock.offset),
            known(report.clock.uncertainty),
            report.judged ? plain(wordsOf(report.clock.method)) : "not judged",
            static_cast<std::int64_t>(report.matches),
            toUtf8(!report.judged         ? "excluded, see above"
                    : report.note.empty() ? plain(report.clock.note)
                                          : plain(report.note))});
    }
    return cells;
}

Cells rankCells(const AcrossReport& across)
{
    Cells cells;
    cells.columns = {{"Rank", Unit::Integer}, {"Known by", Unit::Text}, {"Wait (ns)", Unit::Nanoseconds},
        {"Exposed Wait (ns)", Unit::Nanoseconds}, {"Blame (ns)", Unit::Nanoseconds}, {"Last", Unit::Count},
        {"Of", Unit::Count}, {"Transfer (ns)", Unit::Nanoseconds}, {"Compute Alone (ns)", Unit::Nanoseconds},
        {"Clock (MHz)", Unit::Real}};
    for (const AcrossRank& rank : across.ranks)
        cells.addRow({rank.rank, plain(wordsOf(rank.foundBy)), rank.wait, rank.exposedWait, rank.blame,
            static_cast<std::int64_t>(rank.lastCount), static_cast<std::int64_t>(rank.exchanges),
            rank.transfer, rank.computeAlone, positiveCell(rank.clockMHz)});
    return cells;
}

Cells kindCells(const AcrossReport& across)
{
    Cells cells;
    cells.columns = {{"Communicator", Unit::Text}, {"Operation", Unit::Text}, {"Type", Unit::Text},
        {"Size (B)", Unit::Bytes}, {"Ranks", Unit::Integer}, {"Count", Unit::Count},
        {"Transfer Med (ns)", Unit::Nanoseconds}, {"Transfer Max (ns)", Unit::Nanoseconds},
        {"Wait (%)", Unit::Percent}, {"Algorithm Bandwidth (GB/s)", Unit::Real},
        {"Bus Bandwidth (GB/s)", Unit::Real}};
    for (const AcrossKind& kind : across.kinds)
        cells.addRow({plain(across.groups[kind.group].label), kind.operation, kind.element,
            kind.bytes >= 0 ? Cell(kind.bytes) : Cell(), kind.ranks, static_cast<std::int64_t>(kind.count),
            kind.transferMedian, kind.transferWorst, kind.waitShare * 100,
            positiveCell(kind.algorithmBandwidth), positiveCell(kind.busBandwidth)});
    return cells;
}

/// The rank that held up each step, and the cost.
Cells stepCells(const AcrossReport& across)
{
    Cells cells;
    cells.columns = {{"Step", Unit::Text}, {"Late", Unit::Text}, {"Its Blame (ns)", Unit::Nanoseconds},
        {"All Waits (ns)", Unit::Nanoseconds}, {"Exposed (ns)", Unit::Nanoseconds},
        {"Longest Step on the GPU (ns)", Unit::Nanoseconds}};
    for (std::size_t s = 0; s < across.steps.size(); ++s) {
        Ns wait = 0;
        Ns exposed = 0;
        Ns longest = 0;
        for (std::size_t r = 0; r < across.ranks.size(); ++r) {
            wait = saturatingAdd(wait, across.cell(r, s).wait);
            exposed = saturatingAdd(exposed, across.cell(r, s).exposedWait);
            longest = std::max(longest, across.cell(r, s).length());
        }
        const std::uint32_t late = across.steps[s].late;
        cells.addRow({toUtf8(across.steps[s].name)
                + (across.steps[s].warmUp ? plain({"ranks.warm_up", " (warm-up)"}) : std::string()),
            rankText(across, late), late != noIndex ? Cell(across.cell(late, s).blame) : Cell(), wait,
            exposed, longest});
    }
    return cells;
}

/// The number in `column`, by which rows are listed; nothing is the least.
std::int64_t numberIn(const Cells& cells, std::size_t row, std::size_t column)
{
    const Cell cell = cells.at(row, column);
    const auto* const number = std::get_if<std::int64_t>(&cell);
    return number ? *number : 0;
}

/// The `top` rows of `cells` with the largest numbers in `column`, the largest first; 0: all, as they are.
Cells topRows(const Cells& cells, std::string_view column, std::size_t top)
{
    if (top == 0 || cells.rowCount() <= top)
        return cells;
    const auto place = static_cast<std::size_t>(
        std::ranges::find(cells.columns, column, &Column::title) - cells.columns.begin());
    std::vector<std::size_t> rows(cells.rowCount());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::ranges::stable_sort(
        rows, std::greater{}, [&](std::size_t row) { return numberIn(cells, row, place); });
    Cells kept;
    kept.columns = cells.columns;
    for (std::size_t i = 0; i < top; ++i)
        kept.addRow(cells.row(rows[i]));
    return kept;
}

/// The head of `column` without its unit.
std::string headText(std::string_view column)
{
    const std::string head = plain(Message(column, "column_title", column));
    return head.substr(0, head.find(" ("));
}

void write(const AcrossReport& across, std::size_t top, const TextPage& page)
{
    const auto table = [&](const Cells& cells, std::string_view by) {
        if (top > 0 && cells.rowCount() > top)
            page.text(plain({"ranks.top", "The {shown} of {all} with the most in \"{column}\".",
                {{"shown", Count{top}}, {"all", Count{cells.rowCount()}}, {"column", Name{headText(by)}}}}));
        page.table(topRows(cells, by, top));
    };
    page.text(plain(across.verdict.sentence));
    for (const LateStep& late : across.verdict.exceptions)
        page.text(plain(exceptionSentence(across, late)));
    for (const Message& note : across.notes)
        page.text(toUtf8(plain(note)));
    page.title(plain({"ranks.reports", "Reports"}));
    table(reportCells(across), "Matches");
    if (!across.judged)
        return;
    page.text(plain(sumsSentences(across)));
    page.title(plain({"ranks.ranks", "Ranks"}));
    table(rankCells(across), "Blame (ns)");
    page.title(plain({"ranks.exchanges", "Exchanges"}));
    table(kindCells(across), "Count");
    if (!across.steps.empty()) {
        page.title(plain({"ranks.steps", "Steps"}));
        page.text(plain(Message("ranks.gpu_step",
            "A GPU step lasts from its first work to the first work of the next step. A delayed start therefore lengthens the previous step.")));
        table(stepCells(across), "All Waits (ns)");
    }
    if (!across.findings.empty())
        page.title(plain(findingsTitle()));
    for (const AcrossFinding& finding : across.findings) {
        page.text(
            fmt::format("[{}] {}", plain(severityText(finding.severity)), toUtf8(plain(finding.title))));
        Message text = finding.message;
        if (finding.saving > 0)
            text += {
                "ranks.saving", "Potential saving: up to {saving}.", {{"saving", Duration{finding.saving}}}};
        page.text(toUtf8(plain(text)));
        page.text(plain(finding.remedy));
    }
}

Message mapTitle()
{
    return {"ranks.map", "Blame by rank and step"};
}

/// Rank by step, the more blame the darker.
std::string heatMap(const AcrossReport& across)
{
    Ns most = 1;
    for (const StepCell& cell : across.cells)
        most = std::max(most, cell.blame);
    std::string text
        = fmt::format("<table class=\"map\" aria-label=\"{}\">\n<tr><th></th>", plain(mapTitle()));
    for (const AcrossStep& step : across.steps)
        text += "<th>" + htmlText(step.name) + "</th>";
    text += "</tr>\n";
    for (std::size_t r = 0; r < across.ranks.size(); ++r) {
        text += "<tr><th>" + across.ranks[r].label + "</th>";
        for (std::size_t s = 0; s < across.steps.size(); ++s) {
            const StepCell& cell = across.cell(r, s);
            const double share = static_cast<double>(cell.blame) / static_cast<double>(most);
            text += cell.known ? fmt::format("<td style=\"background:rgba(200,60,30,{})\" title=\"{}\"></td>",
                        formatReal(share, 3), formatDuration(cell.blame))
                               : std::string("<td></td>");
        }
        text += "</tr>\n";
    }
    return text + "</table>\n";
}

} // namespace

std::string ranksTable(const AcrossReport& across, std::size_t top, std::size_t width)
{
    std::string text;
    write(across, top,
        {.title = [&](const std::string& title) { text += "\n" + title + "\n"; },
            .text = [&](const std::string& line) { text += line + "\n"; },
            .table = [&](const Cells& cells) { text += toTable(readable(forReaders(cells)), 0, width); }});
    return text;
}

std::string ranksMarkdown(const AcrossReport& across, std::size_t top)
{
    std::string text = "# " + plain({"ranks.ranks", "Ranks"}) + "\n\n";
    write(across, top,
        {.title = [&](const std::string& title) { text += "## " + title + "\n\n"; },
            .text = [&](const std::string& line) { text += line + "\n\n"; },
            .table = [&](const Cells& cells) { text += toMarkdown(readable(forReaders(cells))) + "\n"; }});
    return text;
}

std::string ranksHtml(const AcrossReport& across, std::size_t top)
{
    const std::string name = plain({"ranks.ranks", "Ranks"});
    std::string text
        = fmt::format(
              "<!DOCTYPE html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\"><title>{}</title><style>\n",
              pageLanguage(), name)
        + "body{font:14px sans-serif;margin:2em;max-width:90em;color:#222;background:#fff}\n"
          ".scroll{overflow-x:auto}table{border-collapse:collapse;margin:.5em 0 1em}"
          "th,td{padding:.2em .6em;text-align:left;"
          "border-bottom:1px solid #ddd}td.n{text-align:right;font-variant-numeric:tabular-nums}\n"
          ".map td{border:1px solid #ddd;min-width:1.2em}.map th{font-weight:normal;font-size:80%}\n"
          "@media(prefers-color-scheme:dark){body{color:#ddd;background:#1e1e1e}}\n"
          "</style></head><body>\n<h1>"
        + name + "</h1>\n";
    TextPage page = htmlPage(text);
    page.table = [&](const Cells& cells) { text += htmlTable(readable(forReaders(cells))); };
    write(across, top, page);
    if (!across.steps.empty())
        text += "<h2>" + plain(mapTitle()) + "</h2>\n" + heatMap(across);
    return text + "</body></html>\n";
}

} // namespace warpline
