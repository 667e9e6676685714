#pragma once

#include "core/workspace/event_id.h"

#include <QRect>
#include <QString>

#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// An event that the current one belongs to, as it is drawn.
struct EventLink {
    EventId event;
    bool after = false; ///< the arrow points here; else from here to the current event
    bool holds = false; ///< one stream waits for the other: the arrow begins at the end of the producer
    QString text; ///< stands at the arrow: "Stream 20 waits 2.10 ms for AllReduce on Stream 17"; may be empty
};

/// Links that need no computation: the call of work, the work of a call, the original of a derived event.
std::vector<EventLink> nearLinks(const Trace& trace, EventId event);
/// All links, see partnersOf(); the first use for a report takes time. Throws Stopped.
std::vector<EventLink> allLinks(const Trace& trace, EventId event, const std::stop_token& stop);

/// A tag at the edge of the timeline for events that are out of view. Small, so that it hides nothing; a
/// tooltip has the text. A click goes to the first of them.
struct LinkHint {
    QRect place;
    QString mark; ///< the drawn text: an arrow, and their number
    QString text; ///< an arrow and the target
    EventId target;
    int count = 1;
    bool isCurrent = false; ///< it leads to the current event itself
};

} // namespace warpline
