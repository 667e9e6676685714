#pragma once

#include "views/loading/latest_job.h"
#include "views/timeline/event_light.h"
#include "views/timeline/event_links.h"

#include <QObject>

#include <optional>
#include <vector>

namespace warpline {

class Session;

/// Events related to the current one: launch, GPU work and wait, and the other ranks' parts of the same
/// exchange.
class CurrentLinks : public QObject {
    Q_OBJECT
public:
    /// `session` outlives this object.
    explicit CurrentLinks(Session& session, QObject* parent = nullptr);

    const std::vector<EventLink>& links() const { return m_links; }
    /// The other ranks' parts of its exchange.
    const std::vector<EventId>& together() const { return m_together; }
    /// The calls inside it, when it is an NVTX range.
    const std::optional<EventLight::Work>& work() const { return m_work; }
    /// Makes the next or previous of launch, GPU work and wait that belong together current; see
    /// nextInChain().
    void hop(bool forward);

signals:
    void changed();
    void ended(const QString& text); ///< why there is nowhere to hop() to

private:
    void look();
    void findAll(EventId id);

    Session& m_session;
    std::vector<EventLink> m_links;
    std::vector<EventId> m_together;
    std::optional<EventLight::Work> m_work;
    LatestJob m_linkJob;
    LatestJob m_hopJob;
};

} // namespace warpline
