#pragma once

#include <stop_token>

namespace warpline {

class Trace;

/// Finds out what tooltipOf() and detailsOf() tell of an event only when it is known, because the whole
/// report must be looked at for it: for what on another stream the event waited, and where its graph node was
/// captured. Takes a second with millions of events, nothing the second time. Throws Stopped.
void prepareFacts(const Trace& trace, const std::stop_token& stop = {});

} // namespace warpline
