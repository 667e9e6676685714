#pragma once

#include "core/base/ids.h"

#include <QDialog>
#include <QString>

#include <vector>

class QLabel;
class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace warpline {

class WindowActions;
class Session;
struct Action;

/// All that can be asked for and all rows of the timeline, found by a few letters: what was used last comes
/// first, keys stand beside it. Enter or a click does it. Rows alone when that is wanted; there ">" before
/// the letters finds actions.
class CommandPalette : public QDialog {
    Q_OBJECT
public:
    enum class Finds : std::uint8_t { Everything, Rows };
    /// `actions` and `session` outlive the palette.
    CommandPalette(WindowActions& actions, Session& session, Finds finds, QWidget* parent);

    QLineEdit& edit() { return *m_edit; }
    QTreeWidget& list() { return *m_list; }
    /// Shows it at the top of the middle of its parent.
    void open() override;
    /// What was used last, of the settings: ids of actions.
    static QStringList recent();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Entry {
        const Action* action = nullptr; ///< nullptr: a row
        RowId row{};
        QString text;
        QString help;
        QString keys;
        bool isEnabled = true;
        int recent = 0; ///< higher: used later; 0: not lately
    };
    void gatherActions();
    void gatherRows();
    void fill();
    void choose(const QTreeWidgetItem* item);
    void goToRow(RowId row);

    WindowActions& m_actions;
    Session& m_session;
    Finds m_finds;
    std::vector<Entry> m_entries;
    QLineEdit* m_edit;
    QTreeWidget* m_list;
    QLabel* m_hint;
};

} // namespace warpline
