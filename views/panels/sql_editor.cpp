#include "views/panels/sql_editor.h"

#include "views/style/text_scale.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QScrollBar>
#include <QStringListModel>

#include <algorithm>

namespace warpline {

namespace {

constexpr int minLetters = 2; // before names are offered
constexpr int maxRemembered = 50;

void addLast(QStringList& statements, const QString& statement)
{
    statements.removeAll(statement);
    statements << statement;
    while (statements.size() > maxRemembered)
        statements.removeFirst();
}

QStringList wordsOfSql()
{
    return QString(
        "SELECT FROM WHERE GROUP ORDER BY LIMIT JOIN LEFT ON AS AND OR NOT NULL IS IN LIKE BETWEEN DISTINCT WITH "
        "HAVING DESC UNION ALL CASE WHEN THEN ELSE END count sum avg min max round coalesce OVER PARTITION")
        .split(' ');
}

} // namespace

SqlEditor::SqlEditor(QWidget* parent)
    : QPlainTextEdit(parent),
      m_names(new QStringListModel(this)),
      m_completer(new QCompleter(this))
{
    setFont(codeFont());
    setPlaceholderText(tr("SELECT short_name, count(*), sum(duration) FROM kernels GROUP BY 1"));
    setTabChangesFocus(true);
    setAccessibleName(tr("Statement"));
    m_completer->setModel(m_names);
    m_completer->setWidget(this);
    m_completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_completer->setModelSorting(QCompleter::UnsortedModel);
    connect(m_completer, QOverload<const QString&>::of(&QCompleter::activated), this, &SqlEditor::insertName);
    setNames({});
}

void SqlEditor::setNames(QStringList names)
{
    names += wordsOfSql();
    names.removeDuplicates();
    m_names->setStringList(names);
}

QString SqlEditor::wordBeforeCursor() const
{
    const QString before = toPlainText().left(textCursor().position());
    qsizetype first = before.size();
    while (first > 0 && (before[first - 1].isLetterOrNumber() || before[first - 1] == '_'))
        --first;
    return before.mid(first);
}

void SqlEditor::insertName(const QString& name)
{
    QTextCursor cursor = textCursor();
    cursor.movePosition(
        QTextCursor::Left, QTextCursor::KeepAnchor, static_cast<int>(wordBeforeCursor().size()));
    cursor.insertText(name);
    setTextCursor(cursor);
}

void SqlEditor::offerNames()
{
    const QString word = wordBeforeCursor();
    m_completer->setCompletionPrefix(word);
    const bool isWhole = m_completer->completionCount() == 1 && m_completer->currentCompletion() == word;
    if (word.size() < minLetters || m_completer->completionCount() == 0 || isWhole) {
        m_completer->popup()->hide();
        return;
    }
    QRect place = cursorRect();
    place.setWidth(m_completer->popup()->sizeHintForColumn(0)
        + m_completer->popup()->verticalScrollBar()->sizeHint().width());
    m_completer->complete(place);
}

void SqlEditor::bringBack(int steps)
{
    const QString shown = m_back == 0 ? QString() : m_history[m_history.size() - m_back];
    if (toPlainText().trimmed() != shown) // typed, and not run yet
        remember();
    m_back = std::clamp(m_back + steps, 0, static_cast<int>(m_history.size()));
    setPlainText(m_back == 0 ? QString() : m_history[m_history.size() - m_back]);
    moveCursor(QTextCursor::End);
}

void SqlEditor::remember()
{
    const QString statement = toPlainText().trimmed();
    m_back = 0;
    if (statement.isEmpty())
        return;
    addLast(m_history, statement);
    addLast(m_added, statement);
    m_back = 1;
}

QStringList SqlEditor::historyAfter(QStringList stored) const
{
    for (const QString& statement : m_added)
        addLast(stored, statement);
    return stored;
}

void SqlEditor::keyPressEvent(QKeyEvent* event)
{
    const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const bool offers = m_completer->popup()->isVisible();
    if (isReturn && event->modifiers().testFlag(Qt::ControlModifier)) {
        m_completer->popup()->hide();
        emit asked();
        return;
    }
    if (event->key() == Qt::Key_Escape) { // only closes the list of completions
        m_completer->popup()->hide();
        event->accept();
        return;
    }
    if (offers && (isReturn || event->key() == Qt::Key_Tab)) {
        event->ignore(); // the list takes them
        return;
    }
    if (event->modifiers() == Qt::AltModifier && event->key() == Qt::Key_Up)
        return bringBack(1);
    if (event->modifiers() == Qt::AltModifier && event->key() == Qt::Key_Down)
        return bringBack(-1);
    QPlainTextEdit::keyPressEvent(event);
    if (!event->text().isEmpty() && event->text().front().isPrint())
        offerNames();
    else if (offers)
        m_completer->popup()->hide();
}

void SqlEditor::markPlace(std::optional<std::size_t> place)
{
    QList<QTextEdit::ExtraSelection> marks;
    if (place) {
        const QByteArray bytes = toPlainText().toUtf8();
        const auto position = QString::fromUtf8(bytes.left(static_cast<qsizetype>(*place))).size();
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(document());
        mark.cursor.setPosition(
            static_cast<int>(std::min<qsizetype>(position, document()->characterCount() - 1)));
        mark.cursor.movePosition(QTextCursor::EndOfWord, QTextCursor::KeepAnchor);
        if (!mark.cursor.hasSelection())
            mark.cursor.movePosition(QTextCursor::Right, QTextCursor::KeepAnchor);
        mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        mark.format.setUnderlineColor(palette().color(QPalette::BrightText));
        marks << mark;
    }
    setExtraSelections(marks);
}

void SqlEditor::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) {
        QList<QTextEdit::ExtraSelection> marks = extraSelections();
        for (QTextEdit::ExtraSelection& mark : marks)
            mark.format.setUnderlineColor(palette().color(QPalette::BrightText));
        setExtraSelections(marks);
    }
    QPlainTextEdit::changeEvent(event);
}

} // namespace warpline
