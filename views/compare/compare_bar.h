#pragma once

#include "views/session/run_pair.h"
#include "views/style/theme.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace warpline {

/// The bar above two timelines: which is faster, the step of alignment, previous and next step, 1:1 or equal
/// step lengths, and close.
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

signals:
    void panelWanted(); ///< the verdict was clicked
    void swapWanted();
    void endWanted();

protected:
    void resizeEvent(QResizeEvent* event) override; ///< the texts are as long as there is room

private:
    QToolButton* button(const QString& text, const QString& tip);
    void show();
    void showVerdict();
    QString placeText(bool isShort) const;
    int roomForTexts() const;

    RunPair& m_pair;
    const Theme* m_theme;
    QLabel* m_verdict;
    QLabel* m_place;
    QToolButton* m_previous;
    QToolButton* m_next;
    QToolButton* m_stretch;
};

} // namespace warpline
