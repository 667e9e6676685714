#pragma once

#include "core/handover/view_file.h"

#include <map>
#include <string>
#include <vector>

namespace warpline {

class Session;

/// The view of the reports of `session`, for a view file; without thresholds of rules, the filter of rows and
/// drawing options, which are not the session's. All reports must be loaded.
SavedView viewOf(const Session& session);

/// Applies `view` to `session`; ignores missing rows and names. Missing keys are defaults. Does not set
/// clocks and thresholds, nor marks and notes, which may be newer than the view.
void applyView(Session& session, const SavedView& view);

/// The part of applyView() that is shown and selected: no queries, steps and search.
void showAsIn(Session& session, const SavedView& view);

/// Clears what `filter` has of a single report: tracks and process.
void dropPlaces(FilterOfView& filter);

/// Sets the filter of a view. Its tracks and process are of the report that panels are about now.
void applyFilter(Session& session, FilterOfView filter);

/// Selects the range and the rows that are selected in `view`; ignores missing rows.
void selectAsIn(Session& session, const SavedView& view);

/// Adds the SQL rows of a view to `session`, without those of reports that it does not have.
void restoreAnswers(Session& session, const std::vector<AnswerOfView>& answers);

/// Gives rows the names that they have in other recordings: of the keys in the view to those.
void renameRows(SavedView& view, const std::map<std::string, std::string>& names);

} // namespace warpline
