// Random user actions: in any order, the window keeps running, and the report stays unchanged.
//
// Ten reports and 1,000 actions on each:
//     WARPLINE_MONKEY_ACTIONS=1000 QTEST_FUNCTION_TIMEOUT=3600000 tst_monkey
// WARPLINE_MONKEY_SEED=7 selects other actions. WARPLINE_MONKEY_LOG=1 logs each action before it runs, so
// that the last line of a crashed run is the cause; the same seed does not always have the same timing.
// WARPLINE_MONKEY_FAULT=cut|grow|replace|remove does this to the report while it is open; with another value
// reading or writing may fail, which must be reported.
// WARPLINE_MONKEY_REPORT=path takes this report alone, which may be one that does not open.

#include "app/actions/all_actions.h"
#include "app/desktop_session.h"
#include "app/main_window.h"
#include "app/panel_docks.h"
#include "app/window_actions.h"
#include "core/store/trace.h"
#include "tests/support/test_program.h"
#include "views/panels/panel.h"
#include "views/timeline/timeline_pane.h"

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPointer>
#include <QRandomGenerator>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>

#include <array>
#include <cstdio>
#include <filesystem>

namespace tst_monkey {

using namespace warpline;

namespace {

const QStringList typed{"gemm", "dur>10us", "name~/(a*)*b/", "stream=7 (", "1ms", "-1", "9999999999999999999",
    "x.json", "../x", "SELECT * FROM kernels", "DELETE FROM StringIds", "step*", QString(5000, 'n'), "%1 %s",
    "\u202e\U0001f600", "report.sqlite"};

constexpr std::array keys{Qt::Key_A, Qt::Key_B, Qt::Key_D, Qt::Key_E, Qt::Key_F, Qt::Key_G, Qt::Key_H,
    Qt::Key_J, Qt::Key_K, Qt::Key_M, Qt::Key_N, Qt::Key_P, Qt::Key_R, Qt::Key_S, Qt::Key_T, Qt::Key_W,
    Qt::Key_Z, Qt::Key_0, Qt::Key_1, Qt::Key_9, Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down,
    Qt::Key_Home, Qt::Key_End, Qt::Key_PageDown, Qt::Key_PageUp, Qt::Key_Tab, Qt::Key_Backtab, Qt::Key_Return,
    Qt::Key_Space, Qt::Key_Escape, Qt::Key_Delete, Qt::Key_Backspace, Qt::Key_F1, Qt::Key_F3, Qt::Key_F5,
    Qt::Key_F6, Qt::Key_F11, Qt::Key_Slash, Qt::Key_Question, Qt::Key_Plus, Qt::Key_Minus, Qt::Key_Comma,
    Qt::Key_BracketLeft, Qt::Key_Menu};

constexpr std::array<Qt::KeyboardModifiers::enum_type, 6> modifiers{
    Qt::NoModifier, Qt::NoModifier, Qt::NoModifier, Qt::ShiftModifier, Qt::ControlModifier, Qt::AltModifier};

/// Performs actions in a window, and in the resulting dialogs and menus.
class Monkey : public QObject {
public:
    Monkey(MainWindow& window, quint32 seed, QStringList reports)
        : m_window(window),
          m_random(seed),
          m_reports(std::move(reports))
    {
        attend();
    }

    void act()
    {
        const int kind = below(100);
        if (kind < 35)
            runAction();
        else if (kind < 55)
            pressKey(&m_window);
        else if (kind < 80)
            useMouse(m_window);
        else if (kind < 88)
            usePanel();
        else if (kind < 92)
            typeInto(m_window);
        else if (kind < 95)
            resizeWindow();
        else
            openReports();
        if (!m_window.isVisible()) // it was closed
            m_window.show();
        listen();
    }

private:
    int below(int count) { return count > 0 ? static_cast<int>(m_random.bounded(count)) : 0; }
    template <typename List> auto oneOf(const List& list)
    {
        return list[static_cast<std::size_t>(below(static_cast<int>(std::size(list))))];
    }

    void say(const QString& what)
    {
        static const bool isLogged = qEnvironmentVariableIsSet("WARPLINE_MONKEY_LOG");
        if (isLogged)
            std::fprintf(stderr, "%s\n", qPrintable(what));
    }

    /// Logs messages of the window: in the message bar, in the status bar, in a box.
    void listen(const QMessageBox* box = nullptr)
    {
        for (const char* const name : {"message", "status"}) {
            const auto* const label = m_window.findChild<QLabel*>(name);
            if (label && label->isVisible() && m_told[name] != label->text())
                say(QString("%1: %2").arg(name, m_told[name] = label->text()));
        }
        if (box && m_told["box"] != box->text())
            say("box: " + (m_told["box"] = box->text()));
    }

    /// Handles dialogs, menus and drags, which block their opener. Uses a new timer each time, because a
    /// blocked one would not fire again.
    void attend()
    {
        constexpr int often = 10;
        QTimer::singleShot(often, this, [this] {
            attend();
            QWidget* const menu = QApplication::activePopupWidget();
            QWidget* const dialog = QApplication::activeModalWidget();
            if (QWidget* const top = menu ? menu : dialog)
                actIn(*top);
            else if (++m_idle > 30) // a drag waits for its end
                QTest::keyClick(&m_window, Qt::Key_Escape);
        });
    }

    void actIn(QWidget& top)
    {
        constexpr int enough = 6;
        m_count = &top == m_top ? m_count + 1 : 0;
        m_top = &top;
        m_idle = 0;
        say("in " + QString(top.metaObject()->className()) + ' ' + top.objectName());
        listen(qobject_cast<QMessageBox*>(&top));
        if (auto* const files = qobject_cast<QFileDialog*>(&top))
            files->setOption(
                QFileDialog::ReadOnly); // folders made and files deleted in Qt's dialog are no find
        if (m_count > 3 * enough) {
            top.close();
        } else if (m_count > enough) {
            QTest::keyClick(&top, Qt::Key_Escape);
        } else if (const int kind = below(10); kind < 4) {
            pressKey(&top);
        } else if (kind < 6) {
            typeInto(top);
        } else {
            useMouse(top);
        }
    }

    void runAction()
    {
        const Action& action = *oneOf(allActions());
        QAction* const made = m_window.actions().find(action.id);
        say(QString("action ") + action.id);
        if (made && made->isEnabled())
            made->trigger();
    }

    void pressKey(QWidget* top)
    {
        QWidget* const focus = QApplication::focusWidget();
        const Qt::Key key = oneOf(keys);
        const Qt::KeyboardModifiers held = oneOf(modifiers);
        say(QString("key %1 %2").arg(key).arg(held.toInt()));
        QTest::keyClick(focus && focus->window() == top->window() ? focus : top, key, held);
    }

    /// A part of `top` that is seen; itself where it has none. One in three is of the timeline.
    QWidget* partOf(QWidget& top)
    {
        if (auto* const timeline = top.findChild<TimelinePane*>();
            timeline && timeline->isVisible() && below(3) == 0)
            return partOf(*timeline);
        QList<QWidget*> seen{&top};
        for (QWidget* const each : top.findChildren<QWidget*>()) {
            if (each->isVisible() && each->window() == top.window() && each->isEnabled()
                && !each->visibleRegion().isEmpty())
                seen.push_back(each);
        }
        return oneOf(seen);
    }

    QPoint placeIn(const QWidget& part) { return {below(part.width()), below(part.height())}; }

    void useMouse(QWidget& top)
    {
        QPointer<QWidget> part = partOf(top);
        const QPoint from = placeIn(*part);
        const QPoint to = placeIn(*part);
        const Qt::KeyboardModifiers held = oneOf(modifiers);
        const int kind = below(10);
        say(QString("mouse %1 on %2 %3 at %4 %5")
                .arg(kind)
                .arg(part->metaObject()->className(), part->objectName())
                .arg(from.x())
                .arg(from.y()));
        if (kind < 4) {
            QTest::mouseClick(part, Qt::LeftButton, held, from);
        } else if (kind < 5) {
            QTest::mouseDClick(part, Qt::LeftButton, held, from);
        } else if (kind < 6) {
            QContextMenuEvent event(QContextMenuEvent::Mouse, from, part->mapToGlobal(from));
            QApplication::sendEvent(part, &event);
        } else if (kind < 8) {
            drag(part, held, from, to);
        } else {
            const QPoint turn(0, below(2) ? 120 : -120);
            QWheelEvent event(from, part->mapToGlobal(from), {}, turn * (1 + below(5)), Qt::NoButton, held,
                Qt::NoScrollPhase, false);
            QApplication::sendEvent(part, &event);
        }
    }

    /// Sometimes to a place outside. What happens meanwhile is painted, and may be that another report opens.
    void drag(const QPointer<QWidget>& part, Qt::KeyboardModifiers held, QPoint from, QPoint to)
    {
        constexpr int outside = 200;
        if (below(3) == 0)
            to += QPoint(below(2 * outside) - outside, below(2 * outside) - outside);
        const Qt::MouseButton button = below(4) ? Qt::LeftButton : Qt::MiddleButton;
        const int changes = below(16); // something else in the middle
        QTest::mousePress(part, button, held, from);
        for (int i = 1; i <= 4 && part; ++i) {
            QTest::mouseMove(part, from + (to - from) * i / 4);
            if (i == 3 && changes == 0)
                openReports();
            else if (i == 3 && changes < 3)
                runAction();
            QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
        }
        if (part)
            QTest::mouseRelease(part, button, held, to);
    }

    void typeInto(QWidget& top)
    {
        QList<QLineEdit*> fields;
        for (QLineEdit* const each : top.findChildren<QLineEdit*>()) {
            if (each->isVisible() && each->isEnabled() && !each->isReadOnly())
                fields.push_back(each);
        }
        if (fields.isEmpty())
            return;
        const QPointer<QLineEdit> field = oneOf(fields);
        QString text = oneOf(typed);
        // A user who names a file elsewhere, or goes there before, wants it there: no find of the guard.
        if (auto* const files = qobject_cast<QFileDialog*>(&top)) {
            text.remove("../");
            if (files->acceptMode() == QFileDialog::AcceptSave)
                files->setDirectory(QDir::currentPath());
        }
        say("type " + text.left(40));
        field->setFocus();
        field->setText(text);
        emit field->textEdited(text);
        if (field && below(2))
            QTest::keyClick(field, Qt::Key_Return);
    }

    void usePanel()
    {
        const QString id = QString::fromUtf8(oneOf(allPanels())->id);
        say("panel " + id);
        if (below(3))
            m_window.docks().showPanel(id);
        else if (below(2))
            m_window.docks().togglePanel(id);
        else
            m_window.docks().floatPanel();
    }

    void resizeWindow()
    {
        const QSize size(300 + below(2000), 200 + below(1200));
        say(QString("size %1 %2").arg(size.width()).arg(size.height()));
        m_window.resize(size);
    }

    void openReports()
    {
        const QString report = oneOf(m_reports);
        const int kind = below(6);
        say(QString("open %1 %2").arg(kind).arg(report));
        if (kind == 0)
            m_window.open(report);
        else if (kind == 1)
            m_window.add({report});
        else if (kind == 2)
            m_window.compareWith({report});
        else if (kind == 3)
            m_window.endComparison();
        else if (kind == 4)
            m_window.reopen();
        else
            m_window.closeReport();
    }

    MainWindow& m_window;
    QRandomGenerator m_random;
    QStringList m_reports;
    QWidget* m_top = nullptr; ///< of which m_count things were done one after another; perhaps gone
    int m_count = 0;
    int m_idle = 0;
    QMap<QString, QString> m_told;
};

/// Damages an open report; `other` replaces it.
void spoil(const QString& path, const QString& other, const QByteArray& fault)
{
    QFile file(path);
    if (fault == "cut")
        file.resize(file.size() / 2);
    else if (fault == "grow" && file.open(QIODevice::Append))
        file.write(QByteArray(10'000, 'x'));
    else if (fault == "replace")
        std::filesystem::rename(other.toStdString(), path.toStdString());
    else if (fault == "remove")
        file.remove();
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class MonkeyTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName("warpline-test");
        QCoreApplication::setApplicationName("tst_monkey");
        qputenv("XDG_CACHE_HOME", m_folder.filePath("cache").toUtf8());
        qputenv("PATH", "");
        m_folder.setAutoRemove(qEnvironmentVariableIsEmpty("WARPLINE_MONKEY_FAULT")); // else it is looked at
        QVERIFY(QDir(m_folder.path()).mkdir("out") && QDir::setCurrent(m_folder.filePath("out")));
        QApplication::setQuitOnLastWindowClosed(false);
        const QDir data(WARPLINE_TEST_DATA);
        QVERIFY(
            QFile::copy(data.filePath("reports/ddp_overlap_rank0.sqlite"), m_folder.filePath("rank.sqlite")));
        QVERIFY(QFile::copy(data.filePath("operators/mix.json.gz"), m_folder.filePath("trace.json.gz")));
        for (const char* const scheme : schemes)
            QDesktopServices::setUrlHandler(scheme, this, "ignore");
    }

    void cleanupTestCase()
    {
        for (const char* const scheme : schemes)
            QDesktopServices::unsetUrlHandler(scheme);
    }

    void anything_data()
    {
        QTest::addColumn<QString>("report");
        if (const QString only = qEnvironmentVariable("WARPLINE_MONKEY_REPORT"); !only.isEmpty()) {
            QTest::newRow("only") << only;
            return;
        }
        QStringList reports{"reports/streams.sqlite", "operators/mix.json.gz"};
        if (actions() > fewActions) {
            reports << "reports/payload.sqlite"
                    << "reports/graph_nvtx.sqlite"
                    << "reports/bert_fp32.sqlite"
                    << "reports/um.sqlite"
                    << "reports/python_samples.sqlite"
                    << "reports/ddp_overlap_rank0.sqlite"
                    << "reports/halo_one.sqlite"
                    << "loops/loader.json.gz";
        }
        for (const QString& each : std::as_const(reports))
            QTest::newRow(qPrintable(each)) << each;
    }

    void anything()
    {
        QFETCH(QString, report);
        QSettings().clear();
        const QString path = m_folder.filePath(report.section('/', -1));
        const QString other = m_folder.filePath("other.sqlite");
        QFile::remove(path);
        QFile::remove(other);
        QVERIFY(QFile::copy(QDir(WARPLINE_TEST_DATA).filePath(report), path));
        QVERIFY(QFile::copy(WARPLINE_TEST_DATA "/pairs/grid_after.sqlite", other));
        QFile::copy(other, m_folder.filePath("spare.sqlite"));
        const QString same = m_folder.filePath("same"); // reads of this name do not fail
        QFile::remove(same);
        std::filesystem::create_hard_link(path.toStdString(), same.toStdString());
        QByteArray before = contentOf(same);
        const QByteArray fault = qgetenv("WARPLINE_MONKEY_FAULT");
        const bool isGiven = qEnvironmentVariableIsSet("WARPLINE_MONKEY_REPORT"); // and may have no event
        const bool mayFail = isGiven || !fault.isEmpty();
        {
            MainWindow window(Theme::dark());
            const DesktopSession desktop(window);
            QSignalSpy failed(&window, &MainWindow::openFailed);
            window.show();
            window.open(path);
            QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() || (mayFail && !failed.isEmpty()), 60'000);
            Monkey monkey(window,
                qEnvironmentVariableIntValue("WARPLINE_MONKEY_SEED") + qHash(report, 1) % 1000,
                {path, other, m_folder.filePath("rank.sqlite"), m_folder.filePath("trace.json.gz")});
            for (int i = 0; i < actions(); ++i) {
                if (i == actions() / 3) {
                    spoil(path, m_folder.filePath("spare.sqlite"), fault);
                    before = contentOf(same);
                }
                monkey.act();
                QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
            }
        }
        // All is unchanged, and with the settings made in between a report can be opened.
        QCOMPARE(contentOf(same), before);
        MainWindow window(Theme::light());
        const DesktopSession desktop(window);
        QSignalSpy failed(&window, &MainWindow::openFailed);
        window.show();
        window.open(path);
        const auto isOpen = [&] { return window.isSettled() && (isGiven || !window.session().isEmpty()); };
        QTRY_VERIFY_WITH_TIMEOUT(isOpen() || (mayFail && !failed.isEmpty()), 60'000);
        QVERIFY(!isOpen() || isGiven || window.session().trace().eventCount() > 0);
    }

public slots:
    void ignore(const QUrl& /*url*/) { } // nothing is opened elsewhere

private:
    static constexpr std::array schemes{"http", "https", "file", "mailto"};
    static constexpr int fewActions = 60;
    static int actions()
    {
        const int wanted = qEnvironmentVariableIntValue("WARPLINE_MONKEY_ACTIONS");
        return wanted > 0 ? wanted : fewActions;
    }

    QTemporaryDir m_folder;
};

WARPLINE_TEST(MonkeyTest)

} // namespace tst_monkey

#include "tst_monkey.moc"
