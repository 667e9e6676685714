#include "app/accessible_names.h"

#include <QAbstractButton>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextDocument>
#include <QWidget>

namespace warpline {

namespace {

/// Without tags: tips may be rich text.
QString plain(const QString& text)
{
    if (!Qt::mightBeRichText(text))
        return text;
    QTextDocument document;
    document.setHtml(text);
    return document.toPlainText();
}

QString nameOf(const QWidget& part, const QString& title)
{
    if (const auto* const edit = qobject_cast<const QLineEdit*>(&part); edit && !edit->placeholderText().isEmpty())
        return edit->placeholderText();
    if (const auto* const button = qobject_cast<const QAbstractButton*>(&part);
        button && !button->text().isEmpty())
        return {}; // its text is its name
    return part.toolTip().isEmpty() ? title : plain(part.toolTip());
}

} // namespace

void nameParts(QWidget& area, const QString& title)
{
    for (QWidget* const part : area.findChildren<QWidget*>()) {
        if (part->focusPolicy() == Qt::NoFocus || !part->accessibleName().isEmpty())
            continue;
        const QString name = nameOf(*part, title);
        if (!name.isEmpty())
            part->setAccessibleName(name);
    }
}

} // namespace warpline
