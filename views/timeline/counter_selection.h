#pragma once

#include "core/query/counter_stats.h"
#include "views/loading/latest_job.h"
#include "views/session/session.h"

#include <QObject>
#include <QTimer>

#include <map>
#include <utility>

namespace warpline {

/// Statistics of each counter in the selected range, computed in the background when the selection rests.
class CounterSelection : public QObject {
    Q_OBJECT
public:
    explicit CounterSelection(Session& session, QObject* parent = nullptr);

    /// nullptr: nothing is selected, or it is not known yet, or not sampled there.
    const CounterFigures* of(ReportId report, std::uint32_t counter) const;

signals:
    void changed();

private:
    void workOut();
    void forget();

    using Known = std::map<std::pair<ReportId, std::uint32_t>, CounterFigures>;
    Session& m_session;
    Known m_known;
    QTimer m_rest;
    LatestJob m_job;
};

} // namespace warpline
