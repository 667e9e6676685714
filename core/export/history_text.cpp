#include "core/export/history_text.h"
#include "core/base/message_names.h"

#include "core/base/format.h"
#include "core/base/format_instant.h"
#include "core/base/shell_words.h"
#include "core/base/utf8.h"
#include "core/export/cells_text.h"
#include "core/export/wrapped_text.h"
#include "core/render/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace warpline {

namespace {

bool isWorthALine(const HistoryChange& change, const BudgetLine& line)
{
    constexpr std::int64_t least = 100; // parts of a step
    return line.isBeyondNoise() && std::abs(line.delta()) * least >= std::max(change.time.a, change.time.b);
}

/// What the recordings have in common, "train.py (python3) on 2 x NVIDIA H200, steps 'step_#'", and their
/// order.
Message subjectText(const History& history)
{
    const Recording& recording = history.recordings.back();
    const auto byFile = static_cast<std::size_t>(
        std::ranges::count(history.recordings, RecordedBy::File, &Recording::startedBy));
    return Message("history.subject",
               "{named, select, yes {{program}} other {Unnamed program}} on {gpus}, "
               "{steps, select, yes {steps '{pattern}'} other {from the first to the last GPU work}}.",
               {{"named", yesOrNo(!recording.program.empty())}, {"program", Name{recording.program}},
                   {"gpus", Name{recording.gpus}}, {"steps", yesOrNo(!recording.pattern.empty())},
                   {"pattern", Name{recording.pattern}}})
        + Message("history.order",
            "{order, select, recorded {In order of recording time.} "
            "file {In order of file modification time, because no report has a recording time.} "
            "other {In order of recording time; {files} of {all} have none and are ordered by file modification time.}}",
            {{"order",
                 Name{byFile == 0                              ? "recorded"
                         : byFile == history.recordings.size() ? "file"
                                                               : "both"}},
                {"files", Count{byFile}}, {"all", Count{history.recordings.size()}}});
}

/// "slower", "faster (mean)": the median needs no mention.
std::string changeText(const HistoryChange& change)
{
    return std::string(keyOf(change.verdict())) + (change.figure == CompareFigure::Mean ? " (mean)" : "");
}

Cells changeCells(const History& history)
{
    Cells cells;
    cells.columns
        = {{"Change", Unit::Text}, {"First recording", Unit::Text}, {"Before (ns)", Unit::Nanoseconds},
            {"After (ns)", Unit::Nanoseconds}, {"Change (%)", Unit::Real}, {"Noise (ns)", Unit::Nanoseconds}};
    for (const HistoryChange& change : history.changes)
        cells.addRow({changeText(change), toUtf8(history.recordings[change.at].file), change.time.a,
            change.time.b, 100 * change.share(), change.noise});
    return cells;
}

/// Fewer columns than recordingCells(): those that fit a terminal.
Cells shortCells(const History& history)
{
    Cells cells;
    cells.columns = {{"File", Unit::Text}, {"Started (UTC)", Unit::Text}, {"Steps", Unit::Count},
        {"Median (ns)", Unit::Nanoseconds}, {"Mean (ns)", Unit::Nanoseconds}, {"Note", Unit::Text}};
    for (std::size_t i = 0; i < history.recordings.size(); ++i) {
        const Recording& recording = history.recordings[i];
        const auto begins = std::ranges::find(history.changes, i, &HistoryChange::at);
        const std::string note = begins != history.changes.end()
            ? plain({"history.from_here",
                "{slower, select, yes {slower} other {faster}}{mean, select, yes { (mean)} other {}} from here",
                {{"slower", yesOrNo(begins->verdict() == CompareVerdict::Slower)},
                    {"mean", yesOrNo(begins->figure == CompareFigure::Mean)}}})
            : history.outliers[i] ? "outlier"
                                  : "";
        cells.addRow({toUtf8(recording.file), formatUtc(recording.started),
            static_cast<std::int64_t>(recording.steps), recording.median, recording.mean, note});
    }
    return cells;
}

/// Parts of the budget that changed beyond the noise, by at least a hundredth of the step; changed most
/// first.
Cells changedParts(const HistoryChange& change)
{
    Cells cells;
    cells.columns = {{"Part of the mean step", Unit::Text}, {"Before (ns)", Unit::Nanoseconds},
        {"After (ns)", Unit::Nanoseconds}, {"Difference (ns)", Unit::Nanoseconds}};
    for (const BudgetLine& line : change.budget) {
        if (isWorthALine(change, line))
            cells.addRow({toUtf8(plain(line.title)), line.time.a, line.time.b, line.delta()});
    }
    return cells;
}

void writeChange(const History& history, const HistoryChange& change, const TextPage& page)
{
    const Recording& first = history.recordings[change.at];
    page.title(
        plain({"history.since", "{slower, select, yes {Slower} other {Faster}} since {file}, {time} UTC",
            {{"slower", yesOrNo(change.verdict() == CompareVerdict::Slower)},
                {"file", Name{toUtf8(first.file)}}, {"time", Name{formatUtc(first.started)}}}}));
    const Cells parts = changedParts(change);
    if (parts.rowCount() > 0)
        page.table(parts);
    if (change.story) {
        if (!change.story->comparable)
            page.text(toUtf8(plain(change.story->sentence)));
        for (const Message& line : change.story->story)
            page.text(toUtf8(plain(line)));
    }
    if (!change.storyError.empty())
        page.text(toUtf8(plain({"history.not_compared",
            "The recordings on both sides were not compared: {error}", {{"error", change.storyError}}})));
    page.text(toUtf8(
        plain({"history.more", "More: {command}", {{"command", Name{compareCommand(history, change)}}}})));
}

} // namespace

std::string compareCommand(const History& history, const HistoryChange& change)
{
    return fmt::format("warpline-cli compare -- {} {}",
        shellQuoted(history.recordings[change.compared.a].file),
        shellQuoted(history.recordings[change.compared.b].file));
}

Cells recordingCells(const History& history)
{
    Cells cells;
    cells.columns = {{"File", Unit::Text}, {"Started (UTC)", Unit::Text}, {"Time from", Unit::Text},
        {"Steps", Unit::Count}, {"Median (ns)", Unit::Nanoseconds}, {"Mean (ns)", Unit::Nanoseconds},
        {"Level (ns)", Unit::Nanoseconds}, {"Outlier", Unit::Count}, {"Compute (ns)", Unit::Nanoseconds},
        {"Communication (ns)", Unit::Nanoseconds}, {"Copies (ns)", Unit::Nanoseconds},
        {"Pages (ns)", Unit::Nanoseconds}, {"Idle (ns)", Unit::Nanoseconds}};
    std::size_t level = 0;
    for (std::size_t i = 0; i < history.recordings.size(); ++i) {
        const Recording& recording = history.recordings[i];
        level += i >= history.levels[level].end ? 1 : 0;
        cells.addRow({recording.file, formatUtc(recording.started), std::string(keyOf(recording.startedBy)),
            static_cast<std::int64_t>(recording.steps), recording.median, recording.mean,
            history.levels[level].median, std::int64_t{history.outliers[i] ? 1 : 0},
            recording.timeIn(BudgetGroup::Compute), recording.timeIn(BudgetGroup::Communication),
            recording.timeIn(BudgetGroup::Copies) - recording.timeOfPages(), recording.timeOfPages(),
            recording.timeIn(BudgetGroup::Idle)});
    }
    return cells;
}

void writeHistoryPage(const HistoryText& text, const TextPage& page)
{
    const History& history = text.history;
    page.verdict(toUtf8(plain(history.sentence)));
    if (history.recordings.empty())
        return;
    page.text(toUtf8(plain(subjectText(history))));
    page.picture();
    if (!history.changes.empty()) {
        page.title(plain({"history.changes_title", "Changes"}));
        page.table(changeCells(history));
    }
    for (const HistoryChange& change : history.changes)
        writeChange(history, change, page);
    const Cells rows = shortCells(history);
    page.title(plain({"history.recordings",
        "{some, select, yes {The newest {shown} of {all} recordings} other {Recordings}}",
        {{"some", yesOrNo(rows.rowCount() > text.mostRows)}, {"shown", Count{text.mostRows}},
            {"all", Count{rows.rowCount()}}}}));
    page.table(rows.part(rows.rowCount() - std::min(text.mostRows, rows.rowCount()), rows.rowCount()));
}

std::string historyTable(const HistoryText& text)
{
    std::string out;
    const auto addLine = [&](const std::string& line) {
        out += (text.width > 0 ? wrappedText(line, text.width, 2) : line) + "\n";
    };
    writeHistoryPage(text,
        {.verdict = addLine,
            .title = [&](const std::string& title) { out += "\n" + title + "\n"; },
            .text = addLine,
            .table = [&](const Cells& cells) { out += toTable(forReaders(cells), 0, text.width); }});
    return out;
}

std::string historyMarkdown(const HistoryText& text)
{
    std::string out = "# " + plain({"history.title", "History"}) + "\n\n";
    writeHistoryPage(text,
        {.verdict = [&](const std::string& line) { out += "**" + markdownProse(line) + "**\n\n"; },
            .title = [&](const std::string& title) { out += "## " + markdownProse(title) + "\n\n"; },
            .text = [&](const std::string& line) { out += markdownProse(line) + "\n\n"; },
            .table = [&](const Cells& cells) { out += toMarkdown(forReaders(cells)) + "\n"; }});
    return out;
}

} // namespace warpline
