#pragma once

#include "views/session/session.h"

#include <QObject>

#include <memory>
#include <vector>

namespace warpline {

/// The reports of panels that support several: the panels' common one (Session::report()), some, or all that
/// are open.
class ReportScope : public QObject {
    Q_OBJECT
public:
    /// `session` outlives this object.
    explicit ReportScope(Session& session);

    /// The reports, in their order; that of the session alone while not all of every report is there. Never
    /// empty.
    std::vector<ReportId> reports() const;
    bool isSeveral() const { return reports().size() > 1; }
    bool isAll() const { return m_all; }
    /// Whether the user chose `report` as one of several, even if it is the only one now.
    bool isChosen(ReportId report) const;
    void showOne();
    void showAll();
    /// These; none, or one alone: as showOne().
    void choose(const std::vector<ReportId>& reports);

signals:
    void changed(); ///< reports(); not emitted for Session::traceChanged() and reportChosen()

private:
    Session& m_session;
    bool m_all = false;
    std::vector<std::weak_ptr<const Trace>> m_chosen; ///< they keep their meaning when others come and go
};

} // namespace warpline
