#pragma once

#include "core/base/ids.h"

#include <QDialog>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

class QLabel;
class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace warpline {

class WindowActions;
class Session;
struct Action;

/// Finds actions and rows of the timeline by a few letters; recently used ones come first, with their
/// shortcuts. Enter or a click runs it. Optionally only rows; there ">" before the letters finds actions.
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
    /// Ids of recently used actions, from the settings.
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
        QStringList otherNames = {}; ///< by which it is found, too
    };
    /// How well `entry` matches; nothing: it does not.
    static std::optional<int> scoreOf(const Entry& entry, const QString& pattern);
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
