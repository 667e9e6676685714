#pragma once

#include "core/load/load_report.h"
#include "core/rows/row_kind.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "views/session/row_view.h"
#include "views/session/session.h"
#include "views/style/theme.h"
#include "views/timeline/timeline_pane.h"

#include <QApplication>
#include <QSettings>
#include <QTest>

#include <memory>

namespace warpline::test {

/// Another text size of the window, until its end.
class TextSize {
public:
    explicit TextSize(int points)
    {
        QFont font = m_before;
        font.setPointSize(points);
        QApplication::setFont(font);
    }
    ~TextSize() { QApplication::setFont(m_before); }
    TextSize(const TextSize&) = delete;
    TextSize& operator=(const TextSize&) = delete;

private:
    QFont m_before = QApplication::font();
};

/// Common parts of tests of one report in the window: its trace and rows, a session and a timeline with all
/// rows expanded.
class ViewTest : public QObject {
protected:
    /// Opens the fixture's small report, with settings under `name`.
    void openSmallReport(const char* name)
    {
        QCoreApplication::setOrganizationName("warpline-test");
        QCoreApplication::setApplicationName(name);
        ReportFixture fixture;
        fixture.addSmallReport();
        auto trace = loadReport(fixture.path());
        QVERIFY(trace.ok());
        m_trace = trace.take();
        m_rows = buildRows(*m_trace);
    }

    void startSession()
    {
        QSettings().clear();
        m_session = std::make_unique<Session>();
        m_session->setTrace(m_trace, m_rows);
    }

    void showPane(QSize size)
    {
        m_pane.reset();
        m_session = std::make_unique<Session>();
        m_pane = std::make_unique<TimelinePane>(*m_session, Theme::light());
        m_pane->resize(size);
        m_session->setTrace(m_trace, m_rows);
        for (const RowId row : m_rows->subtree(RowTree::root))
            m_session->rowView().setExpanded(row, true);
        m_pane->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_pane.get()));
    }

    std::shared_ptr<const Trace> m_trace;
    std::shared_ptr<const RowTree> m_rows;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<TimelinePane> m_pane;
};

} // namespace warpline::test
