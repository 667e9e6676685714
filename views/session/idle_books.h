#pragma once

#include "core/budget/idle_times.h"
#include "views/loading/latest_job.h"
#include "views/session/session.h"

#include <QObject>

#include <memory>
#include <vector>

namespace warpline {

/// Why the GPUs of the open reports idle, worked out in the background when a report is complete.
class IdleBooks : public QObject {
    Q_OBJECT
public:
    /// `session` outlives this object.
    explicit IdleBooks(Session& session);

    /// nullptr while it is not known.
    std::shared_ptr<const IdleTimes> find(ReportId report) const;
    /// Why the GPU that `row` shows idles at `time` of its report; nullptr: it is no row of a GPU, or not
    /// known.
    const BudgetPart* at(const Row& row, Ns time) const;
    bool isBusy() const { return m_job.isBusy(); }

signals:
    void changed();

private:
    void workOut();

    struct Known {
        std::weak_ptr<const Trace> trace;
        std::shared_ptr<const IdleTimes> times;
    };
    Session& m_session;
    std::vector<Known> m_known;
    LatestJob m_job;
};

/// The GPU whose idle time `row` tells of, see Row::tellsIdle.
GpuOfProcess gpuOf(const Trace& trace, const Row& row);

} // namespace warpline
