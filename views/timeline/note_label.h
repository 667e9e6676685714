#pragma once

#include <QBasicTimer>
#include <QLabel>

namespace warpline {

/// A message at the bottom of its parent that responds to a key or a click without a visible effect.
/// Disappears by itself, and ignores the mouse.
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
