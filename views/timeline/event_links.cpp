#include "views/timeline/event_links.h"

#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/derive/stream_waits.h"
#include "core/query/partners.h"
#include "core/store/place_names.h"
#include "core/store/trace.h"
#include "views/style/rich_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace warpline {

namespace {

QString streamOf(const Trace& trace, EventRef work)
{
    return plainTextOf(streamLabel(trace, trace.track(trace.trackOf(work))));
}

/// "Stream 20 waits 2.10 ms for AllReduce on Stream 17".
QString waitText(const Trace& trace, const StreamWait& wait)
{
    return QCoreApplication::translate("Timeline", "%1 waits %2 for %3 on %4")
        .arg(streamOf(trace, wait.consumer), roundedText(wait.held.duration()),
            textOf(toUtf8(trace.displayName(wait.producer))), streamOf(trace, wait.producer));
}

} // namespace

std::vector<EventLink> nearLinks(const Trace& trace, EventId event)
{
    std::vector<EventLink> links;
    if (const EventRef call = trace.apiCallOf(event.event); call.valid())
        links.push_back({{event.report, call}, false, false, {}});
    for (const EventRef work : trace.workOf(event.event))
        links.push_back({{event.report, work}, true, false, {}});
    if (isDerived(event.event.kind))
        links.push_back({{event.report, madeFrom(trace, event.event)}, false, false, {}});
    return links;
}

std::vector<EventLink> allLinks(const Trace& trace, EventId event, const std::stop_token& stop)
{
    std::vector<EventLink> links;
    const auto waits = streamWaitsOf(trace, stop);
    for (const Partner& partner : partnersOf(trace, event.event)) {
        throwIfStopped(stop);
        EventLink link{{event.report, partner.event}, partner.after, partner.holds, {}};
        if (partner.holds && isGpuWork(event.event.kind)) {
            const EventRef producer = partner.after ? event.event : partner.event;
            const EventRef consumer = partner.after ? partner.event : event.event;
            const auto wait = std::ranges::find_if(*waits, [&](const StreamWait& each) {
                return each.producer == producer && each.consumer == consumer && !each.held.empty();
            });
            if (wait != waits->end())
                link.text = waitText(trace, *wait);
        }
        links.push_back(std::move(link));
    }
    return links;
}

} // namespace warpline
