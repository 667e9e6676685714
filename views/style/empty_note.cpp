#include "views/style/empty_note.h"

#include "views/style/rich_text.h"

#include <QAbstractItemView>
#include <QEvent>

#include <utility>

namespace warpline {

EmptyNote::EmptyNote(QAbstractItemView& view, std::function<QString()> text)
    : QLabel(view.viewport()),
      m_view(view),
      m_text(std::move(text))
{
    setObjectName("empty-note");
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setAlignment(Qt::AlignCenter);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    view.viewport()->installEventFilter(this);
    const QAbstractItemModel* const model = view.model();
    connect(model, &QAbstractItemModel::modelReset, this, &EmptyNote::refresh);
    connect(model, &QAbstractItemModel::rowsInserted, this, &EmptyNote::refresh);
    connect(model, &QAbstractItemModel::rowsRemoved, this, &EmptyNote::refresh);
    connect(model, &QAbstractItemModel::layoutChanged, this, &EmptyNote::refresh);
    refresh();
}

void EmptyNote::refresh()
{
    const QString text = m_view.model()->rowCount() > 0 ? QString() : m_text();
    setText(unbrokenOptions(text));
    setVisible(!text.isEmpty());
    constexpr int margin = 12;
    setGeometry(m_view.viewport()->rect().adjusted(margin, 0, -margin, 0));
}

bool EmptyNote::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        refresh();
    return QLabel::eventFilter(watched, event);
}

} // namespace warpline
