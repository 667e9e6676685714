#include "views/timeline/mark_editor.h"

#include "views/style/mark_color.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QToolButton>

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
        const int place = m_place;
        done();
        m_marks.remove(place);
    });
    connect(m_line, &QLineEdit::textEdited, this,
        [this](const QString& text) { change([&text](Mark& mark) { mark.text = text.toStdString(); }); });
    connect(m_line, &QLineEdit::returnPressed, this, &MarkEditor::done);
    connect(&time, &TimeView::shownChanged, this, &QWidget::hide); // the mark is elsewhere now
    connect(&m_marks, &Marks::currentChanged, this, [this](int place) {
        if (place != m_place)
            hide();
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

void MarkEditor::change(const std::function<void(Mark& mark)>& edit)
{
    // Hiding makes an input method commit its text, and others may have taken the mark's place by then.
    const auto place = static_cast<std::size_t>(m_place);
    if (place >= m_marks.all().size() || m_marks.all()[place].range != m_range)
        return;
    Mark mark = m_marks.all()[place];
    edit(mark);
    m_place = m_marks.change(m_place, mark);
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
