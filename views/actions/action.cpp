#include "views/actions/action.h"

#include "views/session/run_pair.h"
#include "views/session/session.h"
#include "views/style/rich_text.h"

#include <QAction>
#include <QActionGroup>
#include <QCoreApplication>
#include <QMenu>
#include <QRegularExpression>

namespace warpline {

namespace {

QString translated(const char* text)
{
    return QCoreApplication::translate("Action", text);
}

QString withoutKey(QString text)
{
    static const QRegularExpression key("\\(&\\w\\)"); // behind the text, where its letters are no keys
    return text.remove(key).remove('&').remove(QChar(0x2026));
}

/// The submenu `title` of `menu`, created when missing.
QMenu& submenuOf(QMenu& menu, const QString& title)
{
    for (const QAction* const action : menu.actions()) {
        if (action->menu() && action->menu()->title() == title)
            return *action->menu();
    }
    return *menu.addMenu(title);
}

} // namespace

bool hasPanels(const ActionContext& context)
{
    return &context.session.pair().a() == &context.session;
}

bool areReportsRead(const ActionContext& context)
{
    return !context.session.isEmpty() && context.session.workspace().isComplete();
}

bool isEnabled(const Action& action, ActionContext context)
{
    context.action = &action;
    const bool isThere = action.withoutEvents ? context.session.hasReport() : !context.session.isEmpty();
    return (action.withoutReport || isThere) && (!action.enabled || action.enabled(context));
}

bool isChecked(const Action& action, ActionContext context)
{
    context.action = &action;
    return action.checked && action.checked(context);
}

bool perform(const Action& action, ActionContext context)
{
    if (!isEnabled(action, context))
        return false;
    context.action = &action;
    action.run(context);
    return true;
}

QString menuText(const Action& action)
{
    return translated(action.text);
}

QString nameText(const Action& action)
{
    return withoutKey(translated(action.text));
}

QString plainText(const Action& action)
{
    return *action.submenu ? titledText(withoutKey(translated(action.submenu)), nameText(action))
                           : nameText(action);
}

QString englishText(const Action& action)
{
    const QString name = withoutKey(action.text);
    return *action.submenu ? withoutKey(action.submenu) + ": " + name : name;
}

QString helpText(const Action& action)
{
    return translated(action.help);
}

void showCheck(QMenu& menu, QAction& made, const Action& action, const ActionContext& context)
{
    if (!action.checked)
        return;
    made.setCheckable(true);
    if (action.oneOf) {
        const QString kind = QString(action.id).section('.', 0, 0); // a menu may have several such choices
        auto* group = menu.findChild<QActionGroup*>(kind, Qt::FindDirectChildrenOnly);
        if (!group) {
            group = new QActionGroup(&menu);
            group->setObjectName(kind);
        }
        group->addAction(&made);
    }
    made.setChecked(isChecked(action, context));
}

void addAction(QMenu& menu, const Action& action, const ActionContext& context)
{
    QMenu& place = *action.submenu ? submenuOf(menu, translated(action.submenu)) : menu;
    if (action.section && !place.isEmpty())
        place.addSeparator();
    QAction* const made = place.addAction(action.contextText ? action.contextText(context) : menuText(action),
        &context.session, [&action, context] { perform(action, context); });
    showCheck(place, *made, action, context);
}

void addContextActions(
    QMenu& menu, std::span<const Action> actions, ContextMenu place, const ActionContext& context)
{
    // Events and rows have other numbers as soon as there is more of a report, or another one.
    for (const auto changed : {&Session::traceChanged, &Session::exchangesReplaced})
        QObject::connect(&context.session, changed, &menu, &QWidget::close, Qt::UniqueConnection);
    for (const Action& action : actions) {
        if (action.context == place && isEnabled(action, context))
            addAction(menu, action, context);
    }
}

void fillMenu(QMenu& menu, std::span<const Action> actions, const ActionContext& context)
{
    menu.clear();
    menu.setToolTipsVisible(true);
    for (const Action& action : actions) {
        if (action.section)
            menu.addSeparator();
        QAction* const made
            = menu.addAction(menuText(action), &menu, [&action, context] { perform(action, context); });
        showCheck(menu, *made, action, context);
        made->setEnabled(isEnabled(action, context));
        made->setToolTip(helpText(action));
    }
}

} // namespace warpline
