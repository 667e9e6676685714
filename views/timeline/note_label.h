#pragma once

#include <QBasicTimer>
#include <QLabel>

namespace warpline {

/// A line at the bottom of its parent that a key or a click answers with where there is nothing to show. It
/// goes by itself, and hears no mouse.
class NoteLabel : public QLabel {
    Q_OBJECT
public:
    static constexpr int shownMs = 6000;

    explicit NoteLabel(QWidget* parent);
    void tell(const QString& text);

protected:
    void timerEvent(QTimerEvent* event) override;

private:
    QBasicTimer m_timer;
};

} // namespace warpline
