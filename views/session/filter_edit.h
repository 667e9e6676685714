#pragma once

#include "core/base/message.h"
#include "core/base/regular_expression.h"

#include <QLabel>
#include <QLineEdit>
#include <QTimer>

#include <optional>

class QCompleter;
class QStandardItemModel;

namespace warpline {

class Session;

/// The text below a field with `mistake`: it, and the filter that still holds; `applied` empty: none.
QString mistakeText(const Message& mistake, const QString& applied);

/// An input field for a filter (see FilterExpression): completes fields, operators and the report's values
/// (Down or Ctrl+Space shows all), underlines a mistake and explains it in a tooltip, and keeps filters: by
/// the star at its end, and in the context menu.
class FilterEdit : public QLineEdit {
    Q_OBJECT
public:
    /// `session` outlives the field.
    explicit FilterEdit(Session& session, QWidget* parent = nullptr);

    /// Whether the last word may become a field or a keyword, as in "du" and "stream=7 du".
    bool isWordBegun() const;
    /// The mistake in the text; nothing when it is valid. Underlined at once, and explained after a pause in
    /// typing.
    const std::optional<TextMistake>& mistake() const { return m_mistake; }
    /// A purpose, shown before the usual tooltip.
    void setPurpose(const QString& purpose);
    /// The shown completions; empty while there are none.
    QStringList offered() const;
    QAction& star() { return *m_star; }

    static constexpr int pauseMs = 900; ///< in typing, before a mistake is told

signals:
    /// The text is a valid filter, different from the last one. While isWordBegun() it is emitted after a
    /// pause or with the return key, so that the list is not empty in between.
    void filterTyped();
    /// The mistake, and what is filtered instead, after a pause in typing; empty: there is none any more.
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
    QTimer m_pause; ///< runs while another word or a correction may follow
    bool m_marked = false; ///< a mistake is underlined
};

/// Shows a mistake below a field; hidden while the text is valid.
class FilterNote : public QLabel {
    Q_OBJECT
public:
    explicit FilterNote(FilterEdit& edit, QWidget* parent = nullptr);
    void tell(const QString& mistake); ///< empty: there is none any more
    void tellOther(const QString& mistake); ///< the same of another field, below the same note

private:
    void showMistake();

    QString m_mistake;
    QString m_other;
};

} // namespace warpline
