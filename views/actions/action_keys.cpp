#include "views/actions/action_keys.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QSettings>

namespace warpline {

namespace {

QString settingOf(const Action& action)
{
    return QString("keys/") + action.id;
}

/// The format of settings and action lists; a key may be a comma or a semicolon, so a space separates them.
QList<QKeySequence> fromText(const QString& text)
{
    QList<QKeySequence> keys;
    for (const QString& key : text.split("; ", Qt::SkipEmptyParts))
        keys << QKeySequence::fromString(key, QKeySequence::PortableText);
    return keys;
}

} // namespace

QList<QKeySequence> defaultKeysOf(const Action& action)
{
    return fromText(action.keys);
}

QList<QKeySequence> keysOf(const Action& action)
{
    const QVariant chosen = QSettings().value(settingOf(action));
    return chosen.isValid() ? fromText(chosen.toString()) : defaultKeysOf(action);
}

void setKeys(const Action& action, const QList<QKeySequence>& keys)
{
    QList<QKeySequence> given;
    QStringList texts;
    for (const QKeySequence& key : keys) {
        if (key.isEmpty() || given.contains(key))
            continue;
        given << key;
        texts << key.toString(QKeySequence::PortableText);
    }
    if (given == defaultKeysOf(action))
        QSettings().remove(settingOf(action));
    else
        QSettings().setValue(settingOf(action), texts.join("; "));
}

QString keysText(const QList<QKeySequence>& keys)
{
    QStringList texts;
    for (const QKeySequence& key : keys)
        texts << key.toString(QKeySequence::NativeText);
    texts.removeDuplicates(); // Return and Enter have one name in Chinese
    return texts.join(QCoreApplication::translate("Action", " or "));
}

QString tipOf(const Action& action)
{
    const QString keys = keysText(keysOf(action));
    return keys.isEmpty() ? helpText(action) : QString("%1 (%2)").arg(helpText(action), keys);
}

bool isKeyOf(const Action& action, const QKeyEvent& event)
{
    const auto modifiers = event.modifiers() & ~Qt::KeypadModifier;
    return event.key() > 0 && event.key() != Qt::Key_unknown
        && keysOf(action).contains(QKeySequence(static_cast<int>(modifiers) | event.key()));
}

} // namespace warpline
