#pragma once

#include "views/timeline/row_filter.h"

#include <QWidget>

#include <functional>
#include <vector>

class QHBoxLayout;
class QLineEdit;

namespace warpline {

/// The field above the labels: a text filter of rows, and a menu of sets.
class RowFilterBox : public QWidget {
    Q_OBJECT
public:
    RowFilterBox(Session& session, RowFilter& filter, QWidget* parent = nullptr);
    /// Lets the user type.
    void edit();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void showState();

    Session& m_session;
    RowFilter& m_filter;
    QLineEdit* m_text;
};

/// The active filters of rows, one chip each, with a close button. Hidden when there are none.
class RowChips : public QWidget {
    Q_OBJECT
public:
    RowChips(Session& session, RowFilter& filter, QWidget* parent = nullptr);
    /// The texts of the chips.
    QStringList texts() const;
    bool isNeeded() const { return !m_chips.empty(); }
    /// A chip before all others that is about no rows; empty: none.
    void setNote(const QString& text, const QString& tip, std::function<void()> undo);

signals:
    void neededChanged();

private:
    struct Chip {
        QString text;
        QString tip;
        std::function<void()> undo;
    };
    std::vector<Chip> chips() const;
    void fill();

    Session& m_session;
    RowFilter& m_filter;
    QHBoxLayout* m_line;
    std::vector<Chip> m_chips;
    Chip markedChip() const;

    Chip m_note;
};

} // namespace warpline
