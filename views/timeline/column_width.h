#pragma once

#include <QBasicTimer>
#include <QElapsedTimer>
#include <QObject>

class QWidget;

namespace warpline {

/// How many pixels of the screen are one column of what rows show: one at rest, two to four while a view of
/// many rows or many pixels moves. A frame in which everything is new takes as long as it has columns, and
/// nobody reads single pixels of a full screen that is on its way; what is exact follows when it rests.
class ColumnWidth : public QObject {
public:
    /// Repaints `rows` when they rest; it is the parent.
    explicit ColumnWidth(QWidget& rows);

    /// The drawn range has changed. A single jump is no motion: it is exact at once.
    void moved();
    /// In device pixels: 1 to `coarsest` for `rows` rows in view.
    int now(std::size_t rows);
    /// So many columns of all rows together are exact in motion, too: some three milliseconds of work where
    /// each column is of its own events.
    static constexpr double maxExact = 80'000;
    static constexpr int coarsest = 4;
    static constexpr int restMs = 120; ///< without a change: the view rests

protected:
    void timerEvent(QTimerEvent* event) override;

private:
    QWidget& m_rows;
    QElapsedTimer m_since; ///< the last change
    QBasicTimer m_rest;
    bool m_moves = false;
    bool m_isCoarse = false; ///< what was painted last
};

} // namespace warpline
