#pragma once

#include <QLabel>

namespace warpline {

class Session;

/// What of a selection narrows a panel, and what it says where something does not; empty: the usual sentence.
struct Followed {
    bool range = true;
    bool rows = true;
    QString otherwise{};
};

Followed ofComparedRuns(); ///< of panels that compare two runs
Followed ofAllRanks(); ///< of those about several ranks

/// Says how much of the report a panel is about, with the way back to all of it; not there while it is all.
/// What of the selection does not narrow the panel it names.
class RangeNotice : public QLabel {
    Q_OBJECT
public:
    RangeNotice(Session& session, Followed followed, QWidget* parent = nullptr);

    void setFollowed(Followed followed);

private:
    void fill();
    QString otherwise(bool ofRange, bool ofRows) const; ///< what does not narrow the panel

    Session& m_session;
    Followed m_followed;
};

/// The way back from a selection that narrows what a panel lists: a link "Whole report", there while a range
/// or rows are selected. It clears both.
class WayBack : public QLabel {
    Q_OBJECT
public:
    explicit WayBack(Session& session, QWidget* parent = nullptr);
};

} // namespace warpline
