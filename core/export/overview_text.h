#pragma once

#include "core/export/json_text.h"
#include "core/overview/overview.h"

#include <string>

namespace warpline {

/// The overview for a terminal: sentences, a line with a bar per part, the longest kernels with the ncu
/// command of the first, the GPUs where there are several, machine and recording.
std::string overviewTable(const RunOverview& overview, std::size_t width = 118);
/// The same as Markdown and as a part of a web page.
std::string overviewMarkdown(const RunOverview& overview);
std::string overviewHtml(const RunOverview& overview);

/// {window_ns, sentences [text], parts [{id, title, ns, percent, stretches, range_ns}], which add up to the
/// window, steps {pattern, count, steady, whole, median_ns, bound, bound_percent} or null, kernels [{name,
/// total_ns, percent, launches, launch, facts [{label, text, warns}]}], gpus [{name, computing_ns,
/// waiting_ns, communicating_ns, copying_ns, idle_ns}], machine}.
Json overviewJson(const RunOverview& overview);

} // namespace warpline
