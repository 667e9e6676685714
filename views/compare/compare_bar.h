#pragma once

#include "views/session/run_pair.h"
#include "views/style/theme.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace warpline {

/// The bar above two timelines: which is faster, the part of a run that is compared, the step of alignment,
/// previous and next step, 1:1 or equal step lengths, and close.
class CompareBar : public QWidget {
    Q_OBJECT
public:
    /// `pair` outlives the bar.
    CompareBar(RunPair& pair, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    QLabel& verdict() { return *m_verdict; }
    QLabel& place() { return *m_place; }
    QToolButton& previous() { return *m_previous; }
    QToolButton& next() { return *m_next; }
    QToolButton& stretch() { return *m_stretch; }
    QToolButton& swap() { return *m_swap; }
    QToolButton& end() { return *m_end; }
    /// Both runs are there: they can be swapped, and B closed.
    void setWhole(bool whole);
    /// Shows that only a part of the side is compared, until it is clicked; hidden: all is.
    QToolButton& part(Side side) { return *m_parts[side]; }

signals:
    void panelWanted(); ///< the verdict was clicked
    void swapWanted();
    void endWanted();

protected:
    void resizeEvent(QResizeEvent* event) override; ///< the texts are as long as there is room

private:
    QToolButton* button(const QString& text, const QString& tip);
    void show();
    void showParts();
    void showVerdict();
    QString placeText(bool isShort) const;
    int roomForTexts() const;

    RunPair& m_pair;
    const Theme* m_theme;
    std::shared_ptr<const Comparison> m_comparison; ///< of the verdict
    QLabel* m_verdict;
    Both<QToolButton*> m_parts;
    QLabel* m_place;
    QToolButton* m_previous;
    QToolButton* m_next;
    QToolButton* m_stretch;
    QToolButton* m_swap;
    QToolButton* m_end;
};

} // namespace warpline
