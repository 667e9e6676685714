#pragma once

#include <QLabel>

namespace warpline {

class Session;

/// Says how much of the report a panel is about, with the way back to all of it; not there while it is all.
/// Of a panel that selected rows do not narrow it says so.
class RangeNotice : public QLabel {
    Q_OBJECT
public:
    RangeNotice(Session& session, bool followsRows, QWidget* parent = nullptr);

private:
    void fill();

    Session& m_session;
    bool m_followsRows;
};

/// The way back from a selection that narrows what a panel lists: a link "Whole report", there while a range
/// or rows are selected. It clears both.
class WayBack : public QLabel {
    Q_OBJECT
public:
    explicit WayBack(Session& session, QWidget* parent = nullptr);
};

} // namespace warpline
