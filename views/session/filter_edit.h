#pragma once

#include "core/base/regular_expression.h"

#include <QLabel>
#include <QLineEdit>
#include <QTimer>

#include <optional>

class QCompleter;
class QStandardItemModel;

namespace warpline {

class Session;

/// A field for a filter (see FilterExpression): offers fields, operators and the values that the report has
/// while one is typed (Down or Ctrl+Space for all), underlines a mistake at its place and says it as a tip,
/// and keeps filters: the star at its end, and the menu of the right mouse button.
class FilterEdit : public QLineEdit {
    Q_OBJECT
public:
    /// `session` outlives the field.
    explicit FilterEdit(Session& session, QWidget* parent = nullptr);

    /// Whether the last word may become a field or a word that joins terms, as in "stream=7 du": after other
    /// terms hardly anybody looks for a name that is called so.
    bool isWordBegun() const;
    /// What is wrong with the text; nothing when it is a filter. It is underlined at once, and told in words
    /// when no more is typed for a moment.
    const std::optional<TextMistake>& mistake() const { return m_mistake; }
    /// A tip above what the field always says: what it is for.
    void setPurpose(const QString& purpose);
    /// What is offered now; empty while nothing is.
    QStringList offered() const;
    QAction& star() { return *m_star; }

signals:
    /// The text is a filter, and another than before. While isWordBegun() it is told a moment later, unless
    /// more is typed: a list that follows is not empty in between.
    void filterTyped();
    /// What is wrong, and what is filtered instead, once no more is typed; empty: nothing any more.
    void mistakeTold(const QString& text);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void check();
    void showTip();
    void apply();
    void tellMistake();
    void markMistake();
    void offer(bool all);
    void hideOffer();
    void insert(const QModelIndex& index);
    void showStar();
    void toggleSaved();

    Session& m_session;
    QStandardItemModel* m_choices;
    QCompleter* m_completer;
    QAction* m_star;
    QString m_purpose;
    QString m_applied; ///< the text of the last filterTyped()
    std::optional<TextMistake> m_mistake;
    QTimer m_pause; ///< runs while a word or a correction may follow
    bool m_marked = false; ///< a mistake is underlined
};

/// Below a field: what is wrong with it. Not there while it is right.
class FilterNote : public QLabel {
    Q_OBJECT
public:
    explicit FilterNote(FilterEdit& edit, QWidget* parent = nullptr);
};

} // namespace warpline
