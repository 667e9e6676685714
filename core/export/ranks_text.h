#pragma once

#include "core/across/across_report.h"
#include "core/base/result.h"

#include <string>
#include <string_view>

namespace warpline {

/// What reports say of one another as a JSON object: judged; reports [{file, rank (of one participant; else
/// null), host, offset_ns, uncertainty_ns, drift_ppm, method, matches, judged, note}]; notes; matched;
/// unmatched; ranks [{rank, label, file, found_by, pid, device, gpu, wait_ns, exposed_wait_ns, blame_ns,
/// last_count, exchanges, transfer_ns, compute_alone_ns, clock_mhz}]; steps [{name, warm_up, late_rank,
/// ranks: [{rank, step_ns, busy_ns, wait_ns, exposed_wait_ns, blame_ns}]}]; pattern; late_rank; cause {part,
/// kind, delta_ns_per_step, delta_ns, steps_longer}; steps_late; steps_judged; wait_ns_per_step; exceptions;
/// verdict; collectives
/// [{communicator, operation, type, bytes, ranks, count, transfer_median_ns, transfer_worst_ns, wait_ns,
/// wait_share, algorithm_gb_s, bus_gb_s}]; findings [{rule, severity, title, message, remedy, rank, step,
/// saving_ns, report, event}].
std::string ranksJson(const AcrossReport& across);
/// What ranksJson() wrote, for the window that opens what a fleet has found. Exchanges one by one are not in
/// it, nor are places of evidence: `exchanges` is empty, events are not valid. Error: it is no such document.
Result<AcrossReport> ranksFromJson(std::string_view text);
/// Whether a document that begins with `head` may be such a one.
bool beginsRanksJson(std::string_view head);
/// The same as tables for a terminal, the verdict first.
std::string ranksTable(const AcrossReport& across);
/// ... as a page of Markdown.
std::string ranksMarkdown(const AcrossReport& across);
/// ... as one HTML page that needs nothing beside it, with the steps as a map of colours.
std::string ranksHtml(const AcrossReport& across);

} // namespace warpline
