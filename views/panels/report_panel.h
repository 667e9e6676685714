#pragma once

#include "views/panels/panel.h"

class QTextBrowser;

namespace warpline {

/// The page that the panel shows, as rich text.
QString reportHtml(const Trace& trace);

/// The report's information: what was recorded, on which machine, with which version, what the file holds,
/// what the profiler had to say, and what was skipped while reading.
class ReportPanel : public Panel {
    Q_OBJECT
public:
    explicit ReportPanel(Session& session, QWidget* parent = nullptr);
    QTextBrowser& text() { return *m_text; }

protected:
    void showReport() override;
    void clear() override;
    void refresh() override;

private:
    QTextBrowser* m_text;
};

} // namespace warpline
