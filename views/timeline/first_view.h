#pragma once

#include "views/session/session.h"

#include <QObject>
#include <QString>

#include <memory>

namespace warpline {

/// Opens reports that are idle for most of their time at their GPU work. Once for each report, and again
/// where the clocks of several change, but only until the user changes the view; going back shows all of it.
class FirstView : public QObject {
    Q_OBJECT
public:
    explicit FirstView(Session& session, QObject* parent = nullptr);

    /// "24.8 s, GPU work in the last 2.1 s": while that is shown; else empty.
    QString note() const;

    /// The first range for `session` with GPU work in `work`; empty: all of it.
    static TimeRange rangeToBeginWith(TimeRange session, TimeRange work);

signals:
    void changed();

private:
    void onTraceChanged();
    void onClocksChanged();
    bool isAsBegun() const; ///< the range of begin() is still shown
    bool isUntouched() const; ///< all is shown, and nothing else was
    void begin();

    Session& m_session;
    std::weak_ptr<const Trace> m_seen; ///< the report that was opened last
    TimeRange m_work; ///< that was shown at first; empty: all was
    bool m_followsClocks = false; ///< clocks moved while the range of begin() was shown
    bool m_holdsAll = true; ///< there is no GPU work outside it
    TimeRange m_begun; ///< the range shown for it
};

} // namespace warpline
