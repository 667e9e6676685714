#pragma once

#include "views/actions/typing_keys.h"

#include <QPlainTextEdit>

#include <optional>

class QCompleter;
class QStringListModel;

namespace warpline {

/// A text box for one statement: completes names of tables and columns, and marks errors. Ctrl+Return runs
/// it, Alt+Up and Alt+Down go through the history.
class SqlEditor : public QPlainTextEdit, public KeepsEscape {
    Q_OBJECT
public:
    explicit SqlEditor(QWidget* parent = nullptr);

    /// Completions in addition to SQL's keywords.
    void setNames(QStringList names);
    /// Underlines the word at byte `place` of the statement's UTF-8; nothing: removes the mark.
    void markPlace(std::optional<std::size_t> place);
    void setHistory(QStringList statements) { m_history = std::move(statements); }
    /// `stored`, by any window, with the statements that this one has added since setHistory().
    QStringList historyAfter(QStringList stored) const;
    /// Adds the statement to the history.
    void remember();

signals:
    void asked();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void offerNames();
    void insertName(const QString& name);
    QString wordBeforeCursor() const;
    void bringBack(int steps);

    QStringListModel* m_names;
    QCompleter* m_completer;
    QStringList m_history; ///< the oldest first
    QStringList m_added; ///< to it by this window, the oldest first
    int m_back = 0; ///< how many steps back in the history the text is
};

} // namespace warpline
