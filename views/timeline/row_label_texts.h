#pragma once

#include "views/session/session.h"
#include "views/timeline/row_layout.h"

#include <QStaticText>
#include <QWidget>

#include <unordered_map>

namespace warpline {

/// Whether `row` stands for one of several reports.
bool isHeadingOfReport(const Workspace& workspace, const Row& row);

/// The texts of rows as they are drawn, laid out once: shaping them anew takes a seventh of a frame of a
/// hundred rows.
class RowLabelTexts {
public:
    /// A row's label and what stands behind it.
    struct Text {
        QStaticText label; ///< in several lines where the row is high enough and the label too long for one
        bool isWrapped = false;
        QStaticText figure;
        int figureWidth = 0; ///< with the gap before it; 0: there is none
    };

    /// What stands behind the label of `row`: "23%" of the view in which it is busy, "1,204" events, the
    /// ranks of a report; empty: nothing.
    QString figureOf(const Row& row) const;

    RowLabelTexts(const Session& session, const QWidget& widget);

    /// Of a row with `room` pixels for both texts.
    const Text& of(const PlacedRow& placed, int room);
    QFont fontOf(const PlacedRow& placed) const; ///< of the label
    /// After anything that labels, figures or the font follow from has changed.
    void clear() { m_texts.clear(); }

private:
    struct Known {
        Text text;
        int room = -1;
        int height = -1;
        bool isPinned = false;
        QString figure;
        TimeRange shown; ///< what the figure is of
    };

    Text layOut(const PlacedRow& placed, const QString& figure, int room) const;

    const Session& m_session;
    const QWidget& m_widget;
    std::unordered_map<std::uint32_t, Known> m_texts; ///< by raw RowId
};

} // namespace warpline
