#pragma once

#include "views/actions/action.h"

#include <QKeySequence>
#include <QWidget>

#include <array>
#include <optional>
#include <vector>

class QKeySequenceEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace warpline {

/// Editor of the shortcuts of all actions, two fields for each. problem() reports conflicts; only store()
/// writes.
class KeyEditor : public QWidget {
    Q_OBJECT
public:
    explicit KeyEditor(QWidget* parent = nullptr);

    /// Which key belongs to more than one action, as a sentence; empty when none does.
    QString problem() const;
    /// Remembers the keys that were changed here in the settings.
    void store() const;
    /// Fills the fields that were not changed here with the keys of the settings: another window may have
    /// changed them, also to a key that is given here.
    void takeOthers();
    /// Fills the fields with the keys that the actions have at first.
    void reset();
    /// The field of key number `place` (0 or 1) of the action `id`; nullptr when there is no such action.
    QKeySequenceEdit* field(const QString& id, std::size_t place = 0) const;

signals:
    void changed();

private:
    struct Line {
        const Action* action;
        QTreeWidgetItem* item;
        std::array<QKeySequenceEdit*, 2> fields;
        std::optional<QList<QKeySequence>> shown{}; ///< at first; none: what the fields have is wanted
        bool isChanged() const { return keysIn(*this) != shown; }
    };
    void addLine(QTreeWidgetItem* group, const Action& action);
    static void fill(const Line& line, const QList<QKeySequence>& keys); ///< without changed()
    static QList<QKeySequence> keysIn(const Line& line);

    QTreeWidget* m_list;
    std::vector<Line> m_lines;
};

} // namespace warpline
