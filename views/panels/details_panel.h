#pragma once

#include "views/loading/latest_job.h"
#include "views/panels/panel.h"

class QLabel;
class QTextBrowser;

namespace warpline {

/// All that the trace knows of `event` as rich text: facts, links "event:KIND:INDEX" to what it is correlated
/// with, GPU metrics while it ran, call stack.
QString eventHtml(const Trace& trace, EventRef event);

/// Everything about the current event: what the trace knows at once, then every column of its row in the
/// report, its call stack, and what it is correlated with as links.
class DetailsPanel : public Panel {
    Q_OBJECT
public:
    explicit DetailsPanel(Session& session, QWidget* parent = nullptr);
    QTextBrowser& text() { return *m_text; }

protected:
    void showReport() override;
    void clear() override;
    void changeEvent(QEvent* event) override;

private:
    void showDetails(EventId event);
    void readRow(EventId event);
    void follow(const QString& link);

    QTextBrowser* m_text;
    LatestJob m_row;
};

} // namespace warpline
