#pragma once

#include <QWidget>

#include <initializer_list>

class QLabel;
class QPushButton;

namespace warpline {

/// A button `text` that triggers the action `id` of its window; without such an action, as in a test of a
/// single panel, it does nothing.
QPushButton* makeActionButton(const char* id, const QString& text, QWidget* parent);

/// Shown by a panel without content: what would be here, and buttons for actions that bring it.
class EmptyState : public QWidget {
    Q_OBJECT
public:
    struct Button {
        const char* action; ///< Action::id
        QString text;
    };
    EmptyState(const QString& text, std::initializer_list<Button> buttons, QWidget* parent);

    QLabel& text() { return *m_text; }

private:
    QLabel* m_text;
};

} // namespace warpline
