#include "views/session/filter_edit.h"

#include "core/filter/filter_completion.h"
#include "core/filter/filter_expression.h"
#include "core/filter/filter_fields.h"
#include "views/session/saved_filters.h"
#include "views/session/session.h"
#include "views/style/rich_text.h"

#include <QAbstractItemView>
#include <QAction>
#include <QCompleter>
#include <QContextMenuEvent>
#include <QInputMethodEvent>
#include <QMenu>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTextCharFormat>

#include <algorithm>
#include <memory>

namespace warpline {

namespace {

constexpr int insertedRole = Qt::UserRole; // text to insert for a choice
constexpr int beginRole = Qt::UserRole + 1; // from which letter on
constexpr int minLetters = 2; // before choices are offered by themselves

/// A star, filled when `saved`.
QIcon starIcon(const QPalette& palette, bool saved)
{
    constexpr int size = 32;
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    QPolygonF star;
    constexpr double outer = 13;
    constexpr double inner = 5.5;
    for (int i = 0; i < 10; ++i) {
        const double angle = -1.5707963267948966 + i * 0.6283185307179586;
        const double radius = i % 2 == 0 ? outer : inner;
        star << QPointF(size / 2.0 + radius * std::cos(angle), size / 2.0 + 1 + radius * std::sin(angle));
    }
    QColor color = palette.color(QPalette::Text);
    color.setAlpha(saved ? 230 : 130);
    painter.setPen(QPen(color, 2));
    painter.setBrush(saved ? QBrush(color) : QBrush(Qt::NoBrush));
    painter.drawPolygon(star);
    return QIcon(pixmap);
}

int lettersBefore(const QString& text, std::size_t byte)
{
    return static_cast<int>(QString::fromUtf8(text.toUtf8().left(static_cast<qsizetype>(byte))).size());
}

} // namespace

QString mistakeText(const Message& mistake, const QString& applied)
{
    return plainTextOf(mistake) + '\n'
        + (applied.isEmpty() ? FilterEdit::tr("Nothing is filtered.")
                             : FilterEdit::tr("Still filtered by \u201c%1\u201d.").arg(applied));
}

FilterEdit::FilterEdit(Session& session, QWidget* parent)
    : QLineEdit(parent),
      m_session(session),
      m_choices(new QStandardItemModel(this)),
      m_completer(new QCompleter(this)),
      m_star(addAction(QIcon(), QLineEdit::TrailingPosition))
{
    m_completer->setModel(m_choices);
    m_completer->setWidget(this);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    connect(
        m_completer, QOverload<const QModelIndex&>::of(&QCompleter::activated), this, &FilterEdit::insert);
    connect(this, &QLineEdit::textChanged, this, &FilterEdit::check);
    connect(this, &QLineEdit::textEdited, this, [this] { offer(false); });
    m_pause.setSingleShot(true);
    m_pause.setInterval(pauseMs); // then an incomplete word counts as a name
    connect(&m_pause, &QTimer::timeout, this, [this] {
        if (!m_mistake)
            apply();
        else if (m_completer->popup()->isVisible())
            m_pause.start(); // the user is still choosing
        else
            tellMistake();
    });
    connect(this, &QLineEdit::textChanged, this, [this] {
        m_pause.stop();
        if (!m_mistake)
            emit mistakeTold({});
        if (m_mistake || isWordBegun())
            m_pause.start();
        else
            apply();
    });
    connect(m_star, &QAction::triggered, this, &FilterEdit::toggleSaved);
    connect(&SavedFilters::shared(), &SavedFilters::changed, this, &FilterEdit::showStar);
    showStar();
    showTip();
}

bool FilterEdit::isWordBegun() const
{
    const QString last = text().section(' ', -1).toLower();
    const QString before = text().chopped(last.size());
    static const QRegularExpression operators("[=<>~]");
    const bool isFirst = before.trimmed().isEmpty();
    if (last.isEmpty() || (!isFirst && !before.contains(operators)))
        return false;
    const std::string word = last.toStdString();
    const auto begins = [&](std::string_view whole) { return whole.starts_with(word); };
    return (begins("or") && !isFirst) || begins("not")
        || std::ranges::any_of(allFilterFields(), begins, &FilterFieldInfo::key);
}

void FilterEdit::setPurpose(const QString& purpose)
{
    m_purpose = purpose;
    showTip();
}

void FilterEdit::showTip()
{
    if (m_mistake) {
        setToolTip(plainTip(plainTextOf(m_mistake->message)));
        return;
    }
    setToolTip((m_purpose.isEmpty() ? QString() : m_purpose + "\n")
        + tr(
            "Part of a name, /regular expression/, or terms:\ndur>50us stream=7 kind=kernel domain=NCCL path=step*/attention payload.size>1e6 grid=128x1x1\nPress Down for fields and values."));
}

void FilterEdit::check()
{
    m_mistake = FilterExpression(text().toStdString()).mistake();
    showTip();
    showStar();
    markMistake();
}

void FilterEdit::apply()
{
    m_applied = text().trimmed();
    emit filterTyped();
}

void FilterEdit::tellMistake()
{
    emit mistakeTold(mistakeText(m_mistake->message, m_applied));
}

void FilterEdit::markMistake()
{
    if (!m_mistake && !m_marked)
        return; // an input method at work is left alone
    QList<QInputMethodEvent::Attribute> marks;
    if (m_mistake && hasFocus() && !text().isEmpty()) {
        const int end = static_cast<int>(text().size());
        const int first = std::min(lettersBefore(text(), m_mistake->place), end - 1);
        const int last = std::max(first + 1, lettersBefore(text(), m_mistake->place + m_mistake->length));
        QTextCharFormat format;
        format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        format.setUnderlineColor(palette().color(QPalette::BrightText));
        format.setForeground(palette().color(QPalette::BrightText));
        marks.append({QInputMethodEvent::TextFormat, first - cursorPosition(), last - first, format});
    }
    m_marked = !marks.isEmpty();
    QInputMethodEvent event(QString(), marks);
    QLineEdit::inputMethodEvent(&event); // the only way to format a part of a field's text
}

void FilterEdit::offer(bool all)
{
    m_choices->clear();
    const QByteArray bytes = text().left(cursorPosition()).toUtf8();
    const std::string typed = bytes.toStdString();
    const FilterChoices found = filterChoicesAt(m_session.trace(), typed, typed.size());
    const std::string_view word = std::string_view(typed).substr(found.begin);
    const bool isValue = found.begin > 0
        && std::string_view("=<>~,/").find(typed[found.begin - 1]) != std::string_view::npos;
    if (!all && !isValue && word.size() < minLetters)
        return hideOffer();
    const auto add = [&](const QString& shown, const QString& written, int begin) {
        auto* const item = new QStandardItem(shown);
        item->setData(written, insertedRole);
        item->setData(begin, beginRole);
        m_choices->appendRow(item);
    };
    if (all && typed.empty()) {
        for (const QString& filter : SavedFilters::shared().all())
            add(QChar(0x2605) + QString(" ") + filter, filter, 0);
    }
    const int begin = lettersBefore(text(), found.begin);
    for (const FilterChoice& choice : found.choices) {
        const QString written = QString::fromStdString(choice.text);
        if (!all && choice.text == word)
            continue; // it is shown already
        const QString help = plainTextOf(choice.help);
        add(help.isEmpty() ? written : written + QString("   \u2014 ") + help, written, begin);
    }
    if (m_choices->rowCount() == 0)
        return hideOffer();
    QAbstractItemView& list = *m_completer->popup();
    constexpr int widest = 620;
    QRect place = cursorRect();
    place.setWidth(std::min(widest,
        list.sizeHintForColumn(0) + list.verticalScrollBar()->sizeHint().width() + 2 * list.frameWidth()));
    m_completer->complete(place);
    // Enter takes the first choice only if it continues the typed text; otherwise the text is searched
    // literally.
    const bool goesOn = m_choices->item(0)
                            ->data(insertedRole)
                            .toString()
                            .startsWith(QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size())),
                                Qt::CaseInsensitive);
    if (!all && !goesOn)
        list.setCurrentIndex({});
}

void FilterEdit::hideOffer()
{
    m_completer->popup()->hide();
}

QStringList FilterEdit::offered() const
{
    QStringList texts;
    for (int row = 0; m_completer->popup()->isVisible() && row < m_choices->rowCount(); ++row)
        texts << m_choices->item(row)->data(insertedRole).toString();
    return texts;
}

void FilterEdit::insert(const QModelIndex& index)
{
    // The model of the list, not ours: a proxy that numbers its rows alike.
    const QStandardItem* const item = m_choices->item(index.row());
    if (!item)
        return;
    const int begin = std::min(item->data(beginRole).toInt(), cursorPosition());
    const QString written = item->data(insertedRole).toString();
    setSelection(begin, cursorPosition() - begin);
    QLineEdit::insert(written);
    const QChar last = written.isEmpty() ? QChar() : written.back();
    if (last == '=' || last == '>' || last == '~' || last == '<')
        QMetaObject::invokeMethod(
            this, [this] { offer(false); }, Qt::QueuedConnection); // its values next
}

void FilterEdit::keyPressEvent(QKeyEvent* event)
{
    const bool offers = m_completer->popup()->isVisible();
    const bool asksAll = event->key() == Qt::Key_Down
        || (event->key() == Qt::Key_Space && event->modifiers().testFlag(Qt::ControlModifier));
    if (asksAll && !offers && m_session.session().duration() > 0)
        return offer(true);
    if (offers && event->key() == Qt::Key_Escape)
        return hideOffer();
    const int before = cursorPosition();
    QLineEdit::keyPressEvent(event);
    const bool ends = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (ends && m_mistake) {
        tellMistake();
    } else if (ends && m_pause.isActive()) {
        m_pause.stop();
        apply();
    }
    if (cursorPosition() != before)
        markMistake(); // its place depends on the cursor's
}

void FilterEdit::focusOutEvent(QFocusEvent* event)
{
    if (event->reason() != Qt::PopupFocusReason)
        hideOffer();
    QLineEdit::focusOutEvent(event);
}

void FilterEdit::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) {
        showStar();
        markMistake();
    }
    QLineEdit::changeEvent(event);
}

void FilterEdit::showStar()
{
    const bool saved = SavedFilters::shared().has(text());
    m_star->setVisible(!text().trimmed().isEmpty());
    m_star->setIcon(starIcon(palette(), saved));
    m_star->setToolTip(saved ? tr("Remove saved filter")
                             : tr("Save this filter. Press Down in an empty field to choose it."));
}

void FilterEdit::toggleSaved()
{
    SavedFilters& saved = SavedFilters::shared();
    if (saved.has(text()))
        saved.remove(text());
    else
        saved.add(text());
}

void FilterEdit::contextMenuEvent(QContextMenuEvent* event)
{
    const std::unique_ptr<QMenu> menu(createStandardContextMenu());
    menu->addSeparator();
    if (!text().trimmed().isEmpty())
        menu->addAction(SavedFilters::shared().has(text()) ? tr("Remove saved filter") : tr("Save filter"),
            this, &FilterEdit::toggleSaved);
    QMenu* const kept = menu->addMenu(tr("Saved filters"));
    kept->setEnabled(!SavedFilters::shared().all().isEmpty());
    for (const QString& filter : SavedFilters::shared().all())
        kept->addAction(QString(filter).replace('&', "&&"), this, [this, filter] { setText(filter); });
    menu->exec(event->globalPos());
}

FilterNote::FilterNote(FilterEdit& edit, QWidget* parent)
    : QLabel(parent)
{
    setObjectName("filter-mistake");
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setContentsMargins(6, 0, 6, 0);
    hide();
    connect(&edit, &FilterEdit::mistakeTold, this, &FilterNote::tell);
}

void FilterNote::tell(const QString& mistake)
{
    m_mistake = mistake;
    showMistake();
}

void FilterNote::tellOther(const QString& mistake)
{
    m_other = mistake;
    showMistake();
}

void FilterNote::showMistake()
{
    setText(m_mistake.isEmpty() ? m_other : m_mistake);
    setVisible(!text().isEmpty());
}

} // namespace warpline
