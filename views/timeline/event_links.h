#pragma once

#include "core/workspace/event_id.h"

#include <QPoint>
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
    bool holds = false; ///< one stream waits for the other: the arrow begins at the end of what is waited for
    QString text; ///< stands at the arrow: "Stream 20 waits 2.10 ms for AllReduce on Stream 17"; may be empty
};

/// What can be told at once: the call behind work, the work behind a call, what a derived event says once
/// more.
std::vector<EventLink> nearLinks(const Trace& trace, EventId event);
/// All of it, see partnersOf(); the first look at a report takes time. Throws Stopped.
std::vector<EventLink> allLinks(const Trace& trace, EventId event, const std::stop_token& stop);

/// A tag at the edge of the timeline for events that are out of sight. It is small, so that it hides none of
/// those that are in sight: what it says, a tip tells. A click goes to the first of them.
struct LinkHint {
    QRect place;
    QString mark; ///< what is painted: an arrow, and how many there are
    QString text; ///< an arrow and what it leads to
    EventId target;
    int count = 1;
    bool isCurrent = false; ///< it leads to the current event itself
};

} // namespace warpline
