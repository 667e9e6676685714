#pragma once

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/handover/mark.h"
#include "core/store/event_kind.h"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

class Workspace;

/// Identifies the report of a view file, without its path or name.
struct ReportMeasure {
    std::uint64_t bytes = 0; ///< of the file
    TimeRange session; ///< on the report's own clock
    std::optional<Ns> offset; ///< set by hand: from its clock to that of the first report
    bool operator==(const ReportMeasure&) const = default;
};

/// The user's changes of rows, by their keys. The heading of report N is "#N", so that keys contain no file
/// name.
struct RowsOfView {
    std::vector<std::string> open;
    std::vector<std::string> closed;
    std::vector<std::string> hidden;
    std::vector<std::string> pinned;
    std::map<std::string, double> scale;
    std::map<std::string, int> depths; ///< how many lanes are drawn in full, of rows where that was changed
    std::map<std::string, std::vector<std::string>> order; ///< of the children, by their parent
    bool operator==(const RowsOfView&) const = default;
};

/// Rows that a filter hides, in addition to hidden rows.
struct RowFilterOfView {
    std::string text;
    std::string set; ///< "compute", "communication", "host", "metrics", "mine"; empty: all rows
    bool onlyInView = false;
    bool showsIdleGpus = false;
    std::vector<std::string> mine; ///< labels of the rows of the set "mine"
    bool operator==(const RowFilterOfView&) const = default;
};

/// A pinned result on the timeline: stores the query, not its result.
struct AnswerOfView {
    std::string title;
    std::string sql;
    std::string search; ///< only lines of the answer that hold it; empty: all
    std::size_t report = 0; ///< by its place in SavedView::reports
    double scale = 1; ///< of its height
    bool operator==(const AnswerOfView&) const = default;
};

/// How events and counters are drawn: by name, as the programs' settings have them.
struct DrawingOfView {
    std::string colorBy; ///< "name", "kind", "class", "stream", "duration"
    bool ownNvtxColors = true;
    std::string counterBase; ///< "zero", "lowest", "log"
    bool countersOfView = false;
    bool countersShared = false;
    bool operator==(const DrawingOfView&) const = default;
};

/// The filter of the list of events.
struct FilterOfView {
    std::string text{};
    Ns minDuration = 0;
    Ns maxDuration = std::numeric_limits<Ns>::max();
    std::optional<std::string> name{};
    std::optional<EventKind> kind{};
    std::vector<TrackRef> tracks{};
    std::uint64_t process = 0;
    bool operator==(const FilterOfView&) const = default;
};

/// A view of reports for sharing: without paths, hosts and environment; from the reports only numbers, the
/// user's texts and keys of rows. Times are on the workspace's clock.
struct SavedView {
    std::vector<ReportMeasure> reports;
    TimeRange shown;
    TimeRange selected;
    std::vector<std::string> selectedRows; ///< keys
    RowsOfView rows;
    RowFilterOfView rowFilter;
    std::vector<AnswerOfView> answers; ///< from top to bottom
    std::optional<DrawingOfView> drawing; ///< nothing: as the reader has it
    FilterOfView filter;
    std::string search;
    std::string steps; ///< the NVTX ranges that are steps, a glob; empty: they are detected
    std::map<std::string, double> thresholds; ///< "rule.key"
    std::vector<Mark> marks; ///< sorted
    std::string notes; ///< of the view as a whole
    bool operator==(const SavedView&) const = default;
};

/// The extension of view files and of sets of reports; their content distinguishes them.
inline constexpr std::string_view viewEnding = ".warpline";

/// The path of the view of the reports at `paths`: "vit.warpline" next to vit.sqlite, "rank0+7.warpline" next
/// to the first of eight.
std::string viewPathFor(const std::vector<std::string>& paths);

/// As JSON: {"warpline_view": 1, ...}; docs/manual/sharing.md lists the keys. Omits defaults.
std::string viewJson(const SavedView& view);

/// viewJson() for the file `name`. Error: it could not be read again, because it is too large.
Result<std::string> viewFileJson(const SavedView& view, const std::string& name);

/// Parses viewJson(). Ignores unknown keys and values of another type; limits times to 30 years and scales to
/// those of rows. Errors: not valid JSON, not a view, a newer version, more than 10,000 bookmarks or a
/// megabyte of notes; the sentence begins with `name`.
Result<SavedView> parseView(std::string_view json, const std::string& name);

/// The bytes of the file at `path`. Errors: it cannot be read, or is too large to be a view.
Result<std::string> readViewFile(const std::string& path);

/// The files next to the view at `path` that are its reports, in its order, found by their sizes; of equal
/// ones by their times, or the first is the one whose view would have this path, and the others are sorted by
/// name. A single report of another size, as of another export, is found by that path alone. Empty: one of
/// them is not there. isViewOf() tells once they are loaded. Reads only small files of equal size until
/// `stop`, and looks for the exports of recordings. An export next to its recording stands for it where both
/// are of one size.
std::vector<std::string> reportsOfView(
    const std::string& path, const SavedView& view, const std::stop_token& stop = {});

/// Whether `view` is of the reports of `workspace`: equal in number and length. Another export of a recording
/// has other bytes, but the same session.
bool isViewOf(const SavedView& view, const Workspace& workspace);

} // namespace warpline
