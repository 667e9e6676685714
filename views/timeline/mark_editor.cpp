#include "views/timeline/mark_editor.h"

#include "views/style/mark_color.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>

namespace warpline {

MarkEditor::MarkEditor(TimeView& time, Marks& marks, const Theme& theme, QWidget* parent)
    : QFrame(parent),
      m_marks(marks),
      m_line(new QLineEdit(this)),
      m_remove(new QToolButton(this))
{
    setObjectName("mark-editor");
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    m_line->setPlaceholderText(tr("Describe this place"));
    m_line->setMinimumWidth(240);
    m_remove->setText(tr("Remove"));
    m_remove->setAutoRaise(true);
    auto* const layout = new QHBoxLayout(this);
    layout->setContentsMargins(4, 3, 4, 3);
    layout->setSpacing(2);
    layout->addWidget(m_line, 1);
    for (std::size_t i = 0; i < markColors().size(); ++i) {
        auto* const button = new QToolButton(this);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::NoFocus);
        button->setToolTip(titleOf(markColors()[i]));
        connect(button, &QToolButton::clicked, this,
            [this, i] { change([i](Mark& mark) { mark.color = markColors()[i].id; }); });
        layout->addWidget(button);
        m_colors << button;
    }
    m_remove->setFocusPolicy(Qt::NoFocus);
    layout->addWidget(m_remove);
    connect(m_remove, &QToolButton::clicked, this, [this] {
        done();
        m_marks.remove(placeNow());
    });
    connect(m_line, &QLineEdit::textEdited, this,
        [this](const QString& text) { change([&text](Mark& mark) { mark.text = text.toStdString(); }); });
    connect(m_line, &QLineEdit::returnPressed, this, &MarkEditor::done);
    connect(&time, &TimeView::shownChanged, this, &QWidget::hide); // the mark is elsewhere now
    connect(&m_marks, &Marks::currentChanged, this, [this](int place) {
        if (place == m_place)
            return;
        const int chosen = m_marks.current();
        hide();
        m_marks.setCurrent(chosen); // text that comes by hiding made its own mark the current one
    });
    m_line->installEventFilter(this);
    setTheme(theme);
    hide();
}

void MarkEditor::setTheme(const Theme& theme)
{
    for (int i = 0; i < m_colors.size(); ++i) {
        QPixmap swatch(12, 12);
        swatch.fill(markColor(theme, markColors()[static_cast<std::size_t>(i)]));
        m_colors[i]->setIcon(QIcon(swatch));
    }
}

void MarkEditor::open(int place, QPoint corner)
{
    const Mark& mark = m_marks.all()[static_cast<std::size_t>(place)];
    m_place = place;
    m_range = mark.range;
    m_line->setText(QString::fromStdString(mark.text));
    adjustSize();
    move(corner);
    show();
    raise();
    m_line->setFocus();
    m_line->selectAll();
}

int MarkEditor::placeNow() const
{
    const std::vector<Mark>& all = m_marks.all();
    const auto before = static_cast<std::size_t>(m_place);
    if (before < all.size() && all[before].range == m_range)
        return m_place;
    const auto same = std::ranges::find(all, m_range, &Mark::range);
    return same == all.end() ? -1 : static_cast<int>(same - all.begin());
}

void MarkEditor::change(const std::function<void(Mark& mark)>& edit)
{
    const int now = placeNow(); // hiding makes an input method commit its text: marks may be others by then
    if (now < 0)
        return;
    m_place = now;
    Mark mark = m_marks.all()[static_cast<std::size_t>(now)];
    edit(mark);
    m_place = m_marks.change(now, mark);
}

void MarkEditor::done()
{
    hide();
    if (parentWidget())
        parentWidget()->setFocus();
}

bool MarkEditor::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusOut)
        hide();
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        done();
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace warpline
