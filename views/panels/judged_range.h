#pragma once

#include <QCheckBox>
#include <QLabel>

namespace warpline {

class Session;

/// "Only the selected range". In whichever panel it stands it is the one switch of the session, and off for a
/// report just opened. Disabled while there is no range to keep to.
class RangeSwitch : public QCheckBox {
    Q_OBJECT
public:
    explicit RangeSwitch(Session& session, QWidget* parent = nullptr);
};

/// Says how much of the report is judged, with the way back to all of it; not there while all of it is.
class RangeNotice : public QLabel {
    Q_OBJECT
public:
    explicit RangeNotice(Session& session, QWidget* parent = nullptr);

private:
    void fill();

    Session& m_session;
};

/// The way back from a selection that narrows what a panel lists: a link "Whole report", there while a range
/// or rows are selected. It clears both.
class WayBack : public QLabel {
    Q_OBJECT
public:
    explicit WayBack(Session& session, QWidget* parent = nullptr);
};

} // namespace warpline
