#pragma once

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/handover/mark.h"
#include "core/store/event_kind.h"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

class Workspace;

/// How a view file knows the report that it is about, without a word of where it lies or what it is called.
struct ReportMeasure {
    std::uint64_t bytes = 0; ///< of the file
    TimeRange session; ///< on the report's own clock
    std::optional<Ns> offset; ///< set by hand: from its clock to that of the first report
    bool operator==(const ReportMeasure&) const = default;
};

/// What the user did to the rows, by their keys. The heading of report N is "#N", so that no file's name
/// stands in the key of a row.
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

/// Which rows are left out for now, beside those that are hidden.
struct RowFilterOfView {
    std::string text;
    std::string set; ///< "compute", "communication", "host", "metrics", "mine"; empty: all rows
    bool onlyInView = false;
    bool showsIdleGpus = false;
    std::vector<std::string> mine; ///< labels of the rows of the set "mine"
    bool operator==(const RowFilterOfView&) const = default;
};

/// An answer that the user pinned to the timeline: what was asked, not what came.
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

/// What the list of events is narrowed to.
struct FilterOfView {
    std::string text;
    Ns minDuration = 0;
    Ns maxDuration = std::numeric_limits<Ns>::max();
    std::optional<std::string> name;
    std::optional<EventKind> kind;
    std::vector<TrackRef> tracks;
    std::uint64_t process = 0;
    bool operator==(const FilterOfView&) const = default;
};

/// How reports were looked at, to be handed on beside them: no path, no host, no environment, and of a report
/// nothing but numbers, what the user wrote and the keys of rows. Times are the workspace's.
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

/// The ending of view files, which that of sets of reports is as well: what they hold tells them apart.
inline constexpr std::string_view viewEnding = ".warpline";

/// Where the view of the reports at `paths` lies: "vit.warpline" beside vit.sqlite, "rank0+7.warpline" beside
/// the first of eight.
std::string viewPathFor(const std::vector<std::string>& paths);

/// As JSON: {"warpline_view": 1, ...}; docs/manual/sharing.md names the keys. What is as it is at first is left out.
std::string viewJson(const SavedView& view);

/// The other way. Keys that are not known are left alone, and what has another type counts as not there;
/// times beyond 30 years and scales beyond what rows can have are cut. Errors: no JSON, no view, a newer one;
/// the sentence begins with `name`.
Result<SavedView> parseView(std::string_view json, const std::string& name);

/// The bytes of the file at `path`. Errors: it cannot be read, or is too large to be a view.
Result<std::string> readViewFile(const std::string& path);

/// Whether `view` is of the reports of `workspace`: as many, and each as long. Another export of a recording
/// has other bytes, and the same session.
bool isViewOf(const SavedView& view, const Workspace& workspace);

} // namespace warpline
