#pragma once

#include "core/handover/view_file.h"

namespace warpline {

class Session;

/// How the reports of `session` are looked at: what a view file keeps, but for the thresholds of rules, the
/// filter of rows and how things are drawn, which no session has. All reports are there in full.
SavedView viewOf(const Session& session);

/// Makes `session` look at its reports as `view` says; of rows and names that there are not, nothing. What is
/// left out in the view is as at first. Clocks and thresholds are others' to set.
void applyView(Session& session, const SavedView& view);

} // namespace warpline
