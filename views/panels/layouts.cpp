#include "views/panels/layouts.h"

#include "views/style/rich_text.h"
#include "views/style/text_scale.h"
#include "views/style/wrapped_label.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QScrollArea>
#include <QSplitter>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>

namespace warpline {

namespace {

constexpr int textColumnSpacing = 3;

/// Gives the text of a column the whole lines that the content below it leaves.
class TextRoom : public QObject {
public:
    TextRoom(QWidget& column, QLabel& text, QWidget& content)
        : QObject(&column),
          m_column(column),
          m_text(text),
          m_content(content),
          m_more(new QLabel(QChar(0x2026), &text))
    {
        m_more->setObjectName("more");
        m_more->setAccessibleName(QObject::tr("The text goes on in its tooltip"));
        m_more->setAutoFillBackground(true);
        m_more->setAttribute(Qt::WA_TransparentForMouseEvents);
        m_more->hide();
        column.installEventFilter(this);
        text.installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        const bool isOfText = watched == &m_text;
        if (isOfText && event->type() == QEvent::ToolTip && isCut()) {
            QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), wholeTip(), &m_text);
            return true;
        }
        const bool isResize = event->type() == QEvent::Resize;
        if (!isOfText && (isResize || event->type() == QEvent::LayoutRequest))
            giveLines();
        if (isResize || event->type() == QEvent::LayoutRequest)
            showMore();
        return QObject::eventFilter(watched, event);
    }

private:
    bool isCut() const
    {
        return m_text.heightForWidth(m_text.width()) > m_text.height()
            || m_text.minimumSizeHint().width() > m_text.width();
    }

    /// The text, and the label's own tip.
    QString wholeTip() const
    {
        const QString own = m_text.toolTip();
        return m_text.text() + (Qt::mightBeRichText(own) ? own : plainTip(own));
    }

    /// Letters of another script than the font's may make lines higher.
    int lineHeight(int around) const
    {
        return std::max(m_text.fontMetrics().height(), m_text.heightForWidth(QWIDGETSIZE_MAX) - around);
    }

    void giveLines()
    {
        const QMargins margins = m_text.contentsMargins();
        const int around = margins.top() + margins.bottom();
        const int least = std::max(m_content.minimumHeight(), m_content.minimumSizeHint().height());
        const int line = lineHeight(around);
        const int room = m_column.height() - least - textColumnSpacing - around;
        m_text.setMaximumHeight(around + std::max(1, room / line) * line);
    }

    void showMore()
    {
        m_more->setVisible(isCut());
        const QSize size = m_more->sizeHint();
        m_more->setGeometry(QRect(
            m_text.contentsRect().bottomRight() - QPoint(size.width(), size.height()) + QPoint(1, 1), size));
    }

    QWidget& m_column;
    QLabel& m_text;
    QWidget& m_content;
    QLabel* m_more; ///< the mark at the end of a text that is cut
};

} // namespace

void fillLayout(QBoxLayout* layout, const QMargins& margins, int spacing, LayoutEntries entries)
{
    layout->setContentsMargins(margins);
    layout->setSpacing(spacing);
    for (const LayoutEntry& entry : entries) {
        if (entry.widget)
            layout->addWidget(entry.widget, entry.stretch);
        else if (entry.layout)
            layout->addLayout(entry.layout, entry.stretch);
        else
            layout->addStretch(entry.stretch);
    }
}

void fillColumn(QWidget* parent, int spacing, LayoutEntries entries)
{
    fillLayout(new QVBoxLayout(parent), {}, spacing, entries);
}

QWidget* makeColumn(QWidget* parent, int spacing, LayoutEntries entries)
{
    auto* const made = new QWidget(parent);
    fillColumn(made, spacing, entries);
    return made;
}

QWidget* makeTextColumn(QWidget* parent, QLabel* text, QWidget* content)
{
    wrapInWidth(*text);
    text->setAlignment(Qt::AlignTop);
    QWidget* const made = makeColumn(parent, textColumnSpacing, {text, {content, 1}});
    new TextRoom(*made, *text, *content); // the column's
    return made;
}

QLayout* barLayout(LayoutEntries entries, const QMargins& margins)
{
    auto* const bar = new QHBoxLayout;
    fillLayout(bar, margins, styleSpacing, entries);
    return bar;
}

void scrollUpAndDown(QScrollArea& area, QWidget* content)
{
    area.setWidget(content);
    area.setWidgetResizable(true);
    area.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area.setFrameShape(QFrame::NoFrame);
}

void letShrink(QComboBox& box, int letters)
{
    // Its own minimum would be that of the entries which it has when it is first laid out.
    box.setMinimumWidth(qRound(box.fontMetrics().horizontalAdvance(QString(letters, 'x')) / textScale()));
}

void fillSplitter(QSplitter& splitter, std::initializer_list<std::pair<QWidget*, int>> parts,
    std::initializer_list<int> sizes)
{
    for (const auto& [part, share] : parts) {
        splitter.addWidget(part);
        if (share > 0)
            splitter.setStretchFactor(splitter.count() - 1, share);
    }
    splitter.setSizes(sizes);
}

} // namespace warpline
