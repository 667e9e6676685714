#pragma once

#include "core/handover/view_file.h"

#include <map>
#include <string>

namespace warpline {

class Session;

/// How the reports of `session` are looked at: what a view file keeps, but for the thresholds of rules, the
/// filter of rows and how things are drawn, which no session has. All reports are there in full.
SavedView viewOf(const Session& session);

/// Makes `session` look at its reports as `view` says; of rows and names that there are not, nothing. What is
/// left out in the view is as at first. Clocks and thresholds are others' to set.
void applyView(Session& session, const SavedView& view);

/// Gives rows the names that they have in other recordings: of the keys in the view to those.
void renameRows(SavedView& view, const std::map<std::string, std::string>& names);

} // namespace warpline
