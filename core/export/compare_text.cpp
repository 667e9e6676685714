#include "core/export/compare_text.h"

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/export/cells_text.h"
#include "core/export/page_words.h"
#include "core/render/render.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpline {

namespace {

/// The section a table belongs to.
std::string_view sectionOf(const CompareTable& table)
{
    if (table.id == "nvtx_gpu")
        return "nvtx";
    return table.id == "copied" ? std::string_view("copies") : std::string_view(table.id);
}

std::string filesText(const std::vector<std::string>& files)
{
    return toUtf8(fmt::format("{}", fmt::join(files, ", ")));
}

std::string titleText(const Comparison& comparison, std::string_view id, const Message& title)
{
    return plain({"compare.table_title",
        "{title}{each, select, step {, per step} step_gpu {, per step and GPU} gpu {, per GPU} "
        "step_process {, per step and process} process {, per process} other {}}",
        {{"title", title}, {"each", Name{std::string(comparison.valuesOf(id))}}}});
}

void writeFindings(const Comparison& comparison, const TextPage& page)
{
    page.title(plain(findingsTitle()));
    const Cells cells = findingCells(comparison);
    const auto same = std::ranges::count(comparison.findings, FindingState::Same, &FindingChange::state);
    if (cells.rowCount() > 0)
        page.table(cells);
    page.text(plain({"compare.same_findings", "Findings that are the same on both sides: {same}.",
        {{"same", Count{static_cast<std::uint64_t>(same)}}}}));
}

void writeTables(const CompareText& text, const TextPage& page)
{
    for (const CompareTable& table : text.comparison.tables) {
        if (!text.has(sectionOf(table)))
            continue;
        page.title(titleText(text.comparison, table.id, {table.id, "compared_title", table.title}));
        page.table(rowCells(table, text.mostRows));
        if (table.rows.size() > text.mostRows)
            page.text(plain(moreText(table.rows.size() - text.mostRows)));
    }
}

} // namespace

void writeComparePage(const CompareText& text, const TextPage& page)
{
    const Comparison& comparison = text.comparison;
    page.verdict(toUtf8(plain(comparison.sentence)));
    page.text(plain({"compare.sides", "A is {a}, B is {b}.",
        {{"a", Name{filesText(comparison.sides.a.files)}},
            {"b", Name{filesText(comparison.sides.b.files)}}}}));
    for (const Message& line : comparison.story)
        page.text(toUtf8(plain(line)));
    if (comparison.unit == CompareUnit::Step && !comparison.lacksSteps) {
        page.title(plain({"compare.step", "Step"}));
        page.table(stepFigureCells(comparison));
    }
    page.title(plain({"compare.recordings", "Recordings"}));
    page.table(factCells(comparison));
    if (comparison.table("kernels"))
        page.text(plain(matchedSentence(comparison)));
    if (text.has("budget") && !comparison.budget.empty()) {
        page.title(titleText(comparison, "budget", {"compare.budget", "Where the time went"}));
        page.picture();
        page.table(budgetCells(comparison));
    }
    writeTables(text, page);
    for (const ComparedStats& stats : text.stats) {
        page.title(stats.title);
        page.nsysTable(stats.cells.part(0, std::min(text.mostRows, stats.cells.rowCount())));
        if (stats.cells.rowCount() > text.mostRows)
            page.text(plain(moreText(stats.cells.rowCount() - text.mostRows)));
    }
    if (text.has("findings"))
        writeFindings(comparison, page);
}

std::string compareTable(const CompareText& text)
{
    std::string out;
    writeComparePage(text,
        {.verdict = [&](const std::string& line) { out += line + "\n"; },
            .title = [&](const std::string& title) { out += "\n" + title + "\n"; },
            .text = [&](const std::string& line) { out += line + "\n"; },
            .table = [&](const Cells& cells) { out += toTable(forReaders(cells), 0, text.width); },
            .nsysTable = [&](const Cells& cells) { out += toTable(cells, 0, text.width); }});
    return out;
}

std::string compareMarkdown(const CompareText& text)
{
    std::string out = "# " + plain({"compare.title", "Comparison"}) + "\n\n";
    writeComparePage(text,
        {.verdict = [&](const std::string& line) { out += "**" + line + "**\n\n"; },
            .title = [&](const std::string& title) { out += "## " + title + "\n\n"; },
            .text = [&](const std::string& line) { out += line + "\n\n"; },
            .table = [&](const Cells& cells) { out += toMarkdown(forReaders(cells)) + "\n"; },
            .nsysTable = [&](const Cells& cells) { out += toMarkdown(cells) + "\n"; }});
    return out;
}

} // namespace warpline
