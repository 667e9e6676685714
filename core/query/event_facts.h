#pragma once

#include <stop_token>

namespace warpline {

class Trace;

/// Prepares facts for tooltipOf() and detailsOf() that need a pass over the whole report: the event on
/// another stream that an event waited for, and where its graph node was captured. Takes a second with
/// millions of events; cached. Throws Stopped.
void prepareFacts(const Trace& trace, const std::stop_token& stop = {});

} // namespace warpline
