#pragma once

#include <QBasicTimer>
#include <QElapsedTimer>
#include <QObject>

class QWidget;

namespace warpline {

/// The width in device pixels of a column of row content: one at rest, two to four while a view of many rows
/// or pixels moves. A fully new frame takes time per column, and single pixels of a moving screen are
/// invisible; the exact view follows at rest.
class ColumnWidth : public QObject {
public:
    /// Repaints `rows` when they rest; it is the parent.
    explicit ColumnWidth(QWidget& rows);

    /// The drawn range has changed. A single jump is no motion: it is exact at once.
    void moved();
    /// In device pixels: 1 to `coarsest` for `rows` rows in view.
    int now(std::size_t rows);
    /// Up to this many columns over all rows are exact in motion, too: about 3 ms of work when each column
    /// has its own events.
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
    bool m_isCoarse = false; ///< of the last painted frame
};

} // namespace warpline
