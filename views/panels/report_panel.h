#pragma once

#include "views/panels/panel.h"

#include <QTimer>

class QTextBrowser;

namespace warpline {

/// The panel's page as rich text; `machine`: with host, command line and output of programs.
QString reportHtml(const Trace& trace, bool machine = false);

/// Facts about the report: recording, machine, version, contents of the file, the profiler's messages, and
/// what reading skipped.
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
    bool m_machine = false; ///< requested for this report
};

} // namespace warpline
