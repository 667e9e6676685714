#pragma once

#include "views/panels/panel.h"

#include <QTimer>

class QTextBrowser;

namespace warpline {

/// The page that the panel shows, as rich text; `machine`: with host, command line and what programs printed.
QString reportHtml(const Trace& trace, bool machine = false);

/// The report's information: what was recorded, on which machine, with which version, what the file holds,
/// what the profiler had to say, and what was skipped while reading.
class ReportPanel : public Panel {
    Q_OBJECT
public:
    explicit ReportPanel(Session& session, QWidget* parent = nullptr);
    QTextBrowser& text() { return *m_text; }
    bool isBusy() const override { return m_fill.isActive(); }

protected:
    void showReport() override;
    void clear() override;

private:
    void fill();

    QTextBrowser* m_text;
    QTimer m_fill;
    bool m_machine = false; ///< asked for, of this report
};

} // namespace warpline
