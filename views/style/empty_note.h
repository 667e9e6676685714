#pragma once

#include <QLabel>

#include <functional>

class QAbstractItemView;

namespace warpline {

/// Says why a list is empty and what to do about it, in the middle of the list; not there while the list has
/// lines, or while there is nothing to say.
class EmptyNote : public QLabel {
    Q_OBJECT
public:
    /// `text` is asked whenever the list becomes empty, and by refresh(): plain text, empty for none. The
    /// note belongs to `view`, which has its model already.
    EmptyNote(QAbstractItemView& view, std::function<QString()> text);
    /// Asks anew: what the text depends on has changed.
    void refresh();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QAbstractItemView& m_view;
    std::function<QString()> m_text;
};

} // namespace warpline
