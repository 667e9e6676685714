#pragma once

#include "views/session/result_rows.h"
#include "views/session/session.h"
#include "views/style/theme.h"

#include <QWidget>

namespace warpline {

/// Pinned query results as rows above the reports' rows: a label with a close button, and slices, whose
/// height is their value where there is one. A row whose query failed says why. A click on a slice goes to
/// its event; the right mouse button opens a menu. Hidden without rows.
class ResultBand : public QWidget {
    Q_OBJECT
public:
    static constexpr int rowHeight = 22; ///< of a row as it is at first, see inTextSize()

    /// `session` outlives the band.
    ResultBand(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// Labels take the first `labels` pixels, and slices `rows` pixels from `left` on.
    void setColumns(int labels, int left, int rows);
    /// The slice of row `place` that is drawn at `x`; nullptr: none.
    const ResultSlice* sliceAt(std::size_t place, double x) const;

signals:
    void heightChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    int heightOf(std::size_t place) const;
    int topOf(std::size_t place) const;
    std::size_t placeAt(int y) const; ///< the number of rows: none
    void askForName(std::size_t place);
    void follow(); ///< the rows
    double xOf(const ResultRow& row, Ns time) const;
    void paintRow(QPainter& painter, std::size_t place);
    QRect crossOf(std::size_t place) const;
    void goTo(const ResultRow& row, const ResultSlice& slice);

    Session& m_session;
    ResultRows& m_rows;
    const Theme* m_theme;
    int m_labels = 0;
    int m_left = 0;
    int m_width = 1;
};

} // namespace warpline
