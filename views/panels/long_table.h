#pragma once

#include <QObject>

#include <cstddef>

class QTableView;

namespace warpline {

class EventsModel;

/// Scrolls a table through a list of which the model holds a part at a time: at either end of the part the
/// next one follows, and what is seen stays where it is. Ctrl+Home and Ctrl+End go to the ends of the list.
class LongTable : public QObject {
    Q_OBJECT
public:
    /// Works for `table`, which shows `model` and owns this.
    LongTable(QTableView& table, EventsModel& model);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void onScrolled(int value);
    void moveTo(std::size_t first);

    QTableView& m_table;
    EventsModel& m_model;
    bool m_moving = false;
};

} // namespace warpline
