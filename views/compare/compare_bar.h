#pragma once

#include "views/session/run_pair.h"
#include "views/style/theme.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace warpline {

/// Above two timelines: which is faster, at which step they are aligned, to the step before and after, 1:1 or
/// steps of equal length, and the way out.
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

private:
    QToolButton* button(const QString& text, const QString& tip);
    void show();
    void showVerdict();
    QString placeText() const;

    RunPair& m_pair;
    const Theme* m_theme;
    QLabel* m_verdict;
    QLabel* m_place;
    QToolButton* m_previous;
    QToolButton* m_next;
    QToolButton* m_stretch;
};

} // namespace warpline
