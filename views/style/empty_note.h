#pragma once

#include <QLabel>

#include <functional>

class QAbstractItemView;

namespace warpline {

/// Explains in the middle of an empty list why it is empty and what to do; hidden while the list has lines,
/// or without a text.
class EmptyNote : public QLabel {
    Q_OBJECT
public:
    /// `text` is asked whenever the list becomes empty, and by refresh(): plain text, empty for none. The
    /// note belongs to `view`, which has its model already.
    EmptyNote(QAbstractItemView& view, std::function<QString()> text);
    /// Updates the text after a change.
    void refresh();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QAbstractItemView& m_view;
    std::function<QString()> m_text;
};

} // namespace warpline
