#include "views/panels/empty_state.h"

#include "views/panels/layouts.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace warpline {

namespace {

/// The action `id` of the window of `widget`; a floating panel belongs to another window.
QAction* actionAround(const QWidget& widget, const QString& id)
{
    for (const QWidget* around = &widget; around; around = around->parentWidget()) {
        if (auto* const action = around->isWindow() ? around->findChild<QAction*>(id) : nullptr)
            return action;
    }
    return nullptr;
}

} // namespace

QPushButton* makeActionButton(const char* id, const QString& text, QWidget* parent)
{
    auto* const button = new QPushButton(text, parent);
    button->setObjectName(id);
    button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    QObject::connect(button, &QPushButton::clicked, button, [button] {
        if (QAction* const action = actionAround(*button, button->objectName()))
            action->trigger();
    });
    return button;
}

EmptyState::EmptyState(const QString& text, std::initializer_list<Button> buttons, QWidget* parent)
    : QWidget(parent),
      m_text(new QLabel(text, this))
{
    constexpr int padding = 12;
    constexpr int widestText = 560;
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::RichText);
    m_text->setMaximumWidth(widestText);
    auto* const row = new QHBoxLayout;
    for (const Button& button : buttons)
        row->addWidget(makeActionButton(button.action, button.text, this));
    row->addStretch();
    fillLayout(
        new QVBoxLayout(this), {padding, padding, padding, padding}, styleSpacing, {m_text, row, freeRoom});
}

} // namespace warpline
