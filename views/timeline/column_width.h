#pragma once

#include <QBasicTimer>
#include <QElapsedTimer>
#include <QObject>

class QWidget;

namespace warpline {

/// How many pixels of the screen are one column of what rows show: one at rest, two while a wide view moves.
/// A frame in which everything is new takes as long as it has columns, and nobody reads single pixels of a
/// screen with thousands of them that is on its way; what is exact follows when it rests.
class ColumnWidth : public QObject {
public:
    /// Repaints `rows` when they rest; it is the parent.
    explicit ColumnWidth(QWidget& rows);

    /// The drawn range has changed. A single jump is no motion: it is exact at once.
    void moved();
    /// In device pixels: 1 or 2.
    int now() const { return m_width; }
    /// So many device pixels across are exact in motion, too.
    static constexpr int widestExact = 2560;
    static constexpr int restMs = 120; ///< without a change: the view rests

protected:
    void timerEvent(QTimerEvent* event) override;

private:
    QWidget& m_rows;
    QElapsedTimer m_since; ///< the last change
    QBasicTimer m_rest;
    int m_width = 1;
};

} // namespace warpline
