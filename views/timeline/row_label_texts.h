#pragma once

#include "views/session/session.h"
#include "views/timeline/row_layout.h"

#include <QStaticText>
#include <QWidget>

#include <unordered_map>

namespace warpline {

/// Whether `row` is the heading of one of several reports.
bool isHeadingOfReport(const Workspace& workspace, const Row& row);

/// The texts of rows as drawn, laid out once: shaping them takes a seventh of a frame of a hundred rows.
class RowLabelTexts {
public:
    /// A row's label and value.
    struct Text {
        QStaticText label; ///< in several lines where the row is high enough and the label too long for one
        bool isWrapped = false;
        QStaticText figure;
        int figureWidth = 0; ///< with the gap before it; 0: there is none
    };

    /// The value of `row`: "23%" busy share of the view, "1,204" events, the ranks of a report; empty: none.
    QString figureOf(const Row& row) const;

    RowLabelTexts(const Session& session, const QWidget& widget);

    /// The texts of a row with `room` pixels for both.
    const Text& of(const PlacedRow& placed, int room);
    QFont fontOf(const PlacedRow& placed) const; ///< of the label
    /// Call it after a change of labels, values or font.
    void clear() { m_texts.clear(); }

private:
    struct Known {
        Text text;
        int room = -1;
        int height = -1;
        bool isPinned = false;
        QString figure;
        TimeRange shown; ///< the range of the value
    };

    Text layOut(const PlacedRow& placed, const QString& figure, int room) const;

    const Session& m_session;
    const QWidget& m_widget;
    std::unordered_map<std::uint32_t, Known> m_texts; ///< by raw RowId
};

} // namespace warpline
