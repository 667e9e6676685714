#include "views/event_menu.h"

#include "core/base/utf8.h"
#include "core/query/event_text.h"
#include "views/session.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>

namespace warpline {

namespace {

/// Everything on the stream or thread of `track`, of whatever kind.
std::vector<TrackRef> tracksBeside(const Trace& trace, TrackRef track)
{
    const Track& wanted = trace.track(track);
    std::vector<TrackRef> tracks;
    for (const EventKind kind : allEventKinds()) {
        const EventTable& table = trace.table(kind);
        for (std::uint32_t i = 0; i < table.tracks.size(); ++i) {
            const Track& each = table.tracks[i];
            if (each.owner == wanted.owner && each.device == wanted.device && each.context == wanted.context
                && each.stream == wanted.stream)
                tracks.push_back({kind, i});
        }
    }
    return tracks;
}

void addFilters(QMenu& menu, Session& session, EventRef event)
{
    QMenu* const filters = menu.addMenu(QObject::tr("List in events view"));
    const auto offer = [&](const QString& text, const EventFilter& wanted) {
        filters->addAction(text, &session, [&session, wanted] {
            session.setFilter(wanted);
            emit session.panelRequested("events");
        });
    };
    const Trace& trace = session.trace();
    const TrackRef track = trace.trackOf(event);
    EventFilter byName;
    byName.name = trace.table(event.kind).name[event.index];
    byName.kind = event.kind;
    offer(QObject::tr("All of this name"), byName);
    EventFilter byKind;
    byKind.kind = event.kind;
    offer(QObject::tr("All of this kind"), byKind);
    EventFilter byPlace;
    byPlace.tracks = tracksBeside(trace, track);
    offer(trace.track(track).device < 0      ? QObject::tr("All on this thread")
            : trace.track(track).stream >= 0 ? QObject::tr("All on this stream")
                                             : QObject::tr("All in this context"),
        byPlace);
    EventFilter byProcess;
    byProcess.process = processOf(trace.track(track).owner);
    if (byProcess.process != 0)
        offer(QObject::tr("All of this process"), byProcess);
}

} // namespace

void addEventActions(QMenu& menu, Session& session, EventRef event)
{
    menu.addAction(QObject::tr("Zoom to event"), &session, [&session, event] { session.goTo(event); });
    menu.addAction(QObject::tr("Set as selected range"), &session,
        [&session, event] { session.selectRange(session.trace().range(event)); });
    menu.addAction(QObject::tr("Show in events view"), &session, [&session, event] {
        session.setCurrentEvent(event);
        emit session.panelRequested("events");
    });
    addFilters(menu, session, event);
    const StringId name = session.trace().table(event.kind).name[event.index];
    menu.addAction(QObject::tr("Highlight all with this name"), &session,
        [&session, kind = event.kind, name] { session.highlightName(kind, name); });
    menu.addSeparator();
    menu.addAction(QObject::tr("Copy name"), &session, [&session, event] {
        QApplication::clipboard()->setText(QString::fromStdString(toUtf8(session.trace().name(event))));
    });
    menu.addAction(QObject::tr("Copy details"), &session, [&session, event] {
        QString text;
        for (const auto& [label, value] : detailsOf(session.trace(), event))
            text += QString::fromStdString(label) + "\t" + QString::fromStdString(value) + "\n";
        QApplication::clipboard()->setText(text);
    });
}

} // namespace warpline
