#pragma once

#include "views/session/session.h"

#include <QString>

namespace warpline {

/// The ranks of the exchange with `event`, by arrival, as HTML with links "there:REPORT:KIND:INDEX" to their
/// parts; empty when it is not part of a matched exchange.
QString exchangeHtml(const Session& session, EventId event);

/// "waits 23.4 ms for rank 1, then transfers for 150 us", as lines of a tool tip; empty as above.
QString exchangeTip(const Session& session, EventId event);

} // namespace warpline
