#include "views/actions/window_action.h"

#include <QAction>
#include <QMenu>
#include <QTextEdit>
#include <QVariant>

#include <memory>

namespace warpline {

void addWindowAction(QMenu& menu, const char* id, const ActionContext& context)
{
    for (const QWidget* at = context.window; at; at = at->parentWidget()) {
        for (const QAction* const made : at->actions()) {
            if (made->objectName() != QLatin1String(id))
                continue;
            if (const auto* const action = made->data().value<const Action*>())
                addAction(menu, *action, context);
            return;
        }
    }
}

void addWhatIsThis(QMenu& menu, const ActionContext& context)
{
    menu.addSeparator();
    addWindowAction(menu, "view.copyCommand", context);
    addWindowAction(menu, "help.place", context);
}

void offerWhatIsThis(QWidget& panel, Session& session)
{
    const ActionContext context{session, &panel, EventId{}};
    for (QTextEdit* const text : panel.findChildren<QTextEdit*>()) {
        if (!text->isReadOnly() || text->contextMenuPolicy() != Qt::DefaultContextMenu)
            continue;
        text->setContextMenuPolicy(Qt::CustomContextMenu);
        QObject::connect(
            text, &QWidget::customContextMenuRequested, text, [text, context](const QPoint& position) {
                const std::unique_ptr<QMenu> menu(text->createStandardContextMenu(position));
                addWhatIsThis(*menu, context);
                menu->exec(text->mapToGlobal(position));
            });
    }
    // Events that no part of the panel handles reach the panel.
    panel.setContextMenuPolicy(Qt::CustomContextMenu);
    QObject::connect(
        &panel, &QWidget::customContextMenuRequested, &panel, [&panel, context](const QPoint& position) {
            QMenu menu;
            addWhatIsThis(menu, context);
            if (!menu.isEmpty())
                menu.exec(panel.mapToGlobal(position));
        });
}

} // namespace warpline
