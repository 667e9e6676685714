#pragma once

#include <QWidget>

#include <initializer_list>

class QLabel;
class QPushButton;

namespace warpline {

/// A button `text` that asks the window it is in for the action `id`; in a window without that action, as in
/// a test of a panel alone, it does nothing.
QPushButton* makeActionButton(const char* id, const QString& text, QWidget* parent);

/// What a panel shows while it has nothing to show: what would be here, and buttons for what brings it.
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
