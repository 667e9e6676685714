#pragma once

#include "views/loading/latest_job.h"
#include "views/session/session.h"

#include <QLabel>

namespace warpline {

class Theme;

/// One view of a report's steps, below the bar of the Steps panel.
class StepsView : public QWidget {
    Q_OBJECT
public:
    /// `session` and `theme` outlive it.
    StepsView(Session& session, const Theme& theme, QWidget* parent)
        : QWidget(parent),
          m_session(session),
          m_theme(&theme),
          m_legend(new QLabel(this))
    {
        m_legend->setTextFormat(Qt::RichText);
        m_legend->setWordWrap(true);
        m_legend->setContentsMargins(6, 0, 6, 0);
    }

    virtual void setTheme(const Theme& theme) = 0;
    bool isBusy() const { return m_job.isBusy(); }
    /// Works the steps out again: those that are chosen, of the report that is open, which is complete.
    virtual void evaluate() = 0;
    virtual void clear() = 0;
    /// Shows the computed steps for the selected rows and range.
    virtual void refresh() = 0;
    virtual QString summary() const = 0; ///< a line of rich text on the content
    virtual QString summaryTip() const = 0;
    /// Shows step `index` in the timeline and selects its range.
    virtual void goToStep(std::size_t index) = 0;
    const QLabel& legendLabel() const { return *m_legend; }

signals:
    void answered(); ///< there is something else to show

protected:
    Session& m_session;
    const Theme* m_theme;
    QLabel* m_legend; ///< the parts with their colors
    LatestJob m_job;
};

} // namespace warpline
