// File > Export > Chrome trace and Part of the report: chosen in the menu, answered in the dialogs, written
// in the background, never over an open report.

#include "app/main_window.h"
#include "app/panel_docks.h"
#include "app/part_export.h"
#include "app/window_actions.h"
#include "core/export/handover_html.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "core/store/part_of_recording.h"
#include "core/store/trace.h"
#include "tests/support/test_program.h"
#include "views/models/written_files.h"
#include "views/panels/events_panel.h"
#include "views/panels/findings_panel.h"
#include "views/panels/marks_panel.h"
#include "views/panels/table_export.h"
#include "views/panels/tables_panel.h"
#include "views/session/session.h"

#include <QAbstractButton>
#include <QApplication>
#include <QCheckBox>
#include <QCryptographicHash>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QProgressDialog>
#include <QPushButton>
#include <QRadioButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <sqlite3.h>

#include <filesystem>
#include <functional>

namespace tst_part_export {

using namespace warpline;

namespace {

const QString sample = QStringLiteral(WARPLINE_TEST_DATA "/reports/streams.sqlite");

QByteArray hashOf(const QString& path)
{
    QFile file(path);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    return file.open(QIODevice::ReadOnly) && hash.addData(&file) ? hash.result() : QByteArray();
}

/// The first number that `sql` gives, from SQLite itself.
qint64 judged(const QString& path, const QString& sql)
{
    sqlite3* db = nullptr;
    sqlite3_open_v2(path.toUtf8().constData(), &db, SQLITE_OPEN_READONLY, nullptr);
    sqlite3_stmt* statement = nullptr;
    qint64 number = -1;
    if (sqlite3_prepare_v2(db, sql.toUtf8().constData(), -1, &statement, nullptr) == SQLITE_OK
        && sqlite3_step(statement) == SQLITE_ROW)
        number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return number;
}

/// How many events of category `kind` a Chrome trace holds.
int eventsIn(const QString& path, const QString& kind)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return -1;
    int count = 0;
    for (const QJsonValue each : QJsonDocument::fromJson(file.readAll()).object()["traceEvents"].toArray())
        count += each.toObject()["cat"].toString() == kind ? 1 : 0;
    return count;
}

} // namespace

class PartExportTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        QCoreApplication::setOrganizationName("warpline-test");
        QCoreApplication::setApplicationName("tst_part_export");
        QSettings().clear();
        m_report = m_folder.filePath("streams.sqlite");
        QVERIFY(QFile::copy(sample, m_report));
        QFile::setPermissions(m_report, QFile::ReadOwner | QFile::WriteOwner);
        m_window = std::make_unique<MainWindow>(Theme::light());
        m_window->resize(1200, 800);
        m_window->setCacheUsed(false);
        m_window->show();
        QSignalSpy settled(m_window.get(), &MainWindow::settled);
        m_window->open(m_report);
        QTRY_VERIFY(settled.count() > 0);
    }
    void cleanupTestCase() { m_window.reset(); }

    /// A page that is given up for another one leaves the file that was there.
    void aPageThatIsGivenUpWritesNothing()
    {
        auto& marks = m_window->panel<MarksPanel>();
        const QString first = m_folder.filePath("first.html");
        const QString second = m_folder.filePath("second.html");
        for (int i = 0; i < 10; ++i) {
            QFile file(first);
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write("what was there") > 0);
            file.close();
            QFile::remove(second);
            marks.exportReport({}, first);
            QTest::qWait(i * 3); // it has begun, or not
            marks.exportReport({}, second);
            QTRY_VERIFY(QFile::exists(second));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray now = file.readAll();
            QVERIFY2(now == "what was there" || now.trimmed().endsWith("</html>"), now.left(50));
        }
    }

    /// A report that does not fit into memory is offered in part: the message's button writes the part, and
    /// it is opened.
    void whatDoesNotFitIsOpenedInPart()
    {
        const QString part = m_folder.filePath("first part.sqlite");
        MainWindow window(Theme::light());
        window.resize(1200, 800);
        window.setCacheUsed(false);
        window.show();
        qputenv("WARPLINE_MEMORY", "700K");
        QSignalSpy failed(&window, &MainWindow::openFailed);
        window.open(m_report);
        QTRY_COMPARE(failed.count(), 1);
        qunsetenv("WARPLINE_MEMORY");
        const auto buttons = window.findChildren<QPushButton*>();
        const auto button = std::ranges::find_if(buttons, [](const QPushButton* each) {
            return each->isVisible() && each->text().endsWith(" of it\u2026");
        });
        QVERIFY(button != buttons.end());
        // Its own file is not the place for it, even if the user wants it replaced.
        const QByteArray before = hashOf(m_report);
        QTimer answer;
        QPointer<QWidget> answered;
        connect(&answer, &QTimer::timeout, &window, [&] {
            QWidget* const shown = QApplication::activeModalWidget();
            if (!shown || shown == answered)
                return;
            answered = shown;
            if (auto* const file = qobject_cast<QFileDialog*>(shown)) {
                file->findChild<QLineEdit*>("fileNameEdit")->setText(m_report);
                QMetaObject::invokeMethod(file, "accept", Qt::QueuedConnection);
            } else if (auto* const box = qobject_cast<QMessageBox*>(shown);
                       box && box->button(QMessageBox::Yes)) {
                QMetaObject::invokeMethod(box->button(QMessageBox::Yes), "click", Qt::QueuedConnection);
            }
        });
        answer.start(20);
        QTest::mouseClick(*button, Qt::LeftButton);
        QTRY_VERIFY(window.findChild<QMessageBox*>("export-failed"));
        answer.stop();
        QVERIFY(window.findChild<QMessageBox*>("export-failed")->text().contains("is a report in use"));
        window.findChild<QMessageBox*>("export-failed")->close();
        QCOMPARE(hashOf(m_report), before);
        QTimer::singleShot(0, &window, [&] {
            auto* const dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            dialog->findChild<QLineEdit*>()->setText(part);
            QMetaObject::invokeMethod(dialog, "accept");
        });
        QSignalSpy settled(&window, &MainWindow::settled);
        QTest::mouseClick(*button, Qt::LeftButton);
        QTRY_VERIFY(settled.count() > 0);
        QCOMPARE(window.reports().names(), QStringList{part});
        QVERIFY(!(*button)->isVisible());
        const qint64 all = judged(m_report, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_RUNTIME");
        const auto shown = static_cast<qint64>(window.session().trace().apiCalls().size());
        QVERIFY2(shown > 0 && shown < all, qPrintable(QString::number(shown)));
        QCOMPARE(judged(part, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_RUNTIME"), shown);
    }

    void bothStandInTheMenu()
    {
        for (const char* const id : {"export.trace", "export.cut"}) {
            const QAction* const action = m_window->actions().find(id);
            QVERIFY(action && action->isEnabled());
            bool stands = false;
            for (const QMenu* const menu : m_window->findChildren<QMenu*>())
                stands = stands || (menu->title() == "&Export" && menu->actions().contains(action));
            QVERIFY(stands);
        }
    }

    void theTraceOfTheWholeHoldsEveryKernel()
    {
        const QString path = m_folder.filePath("whole.json");
        choose("export.trace", path, [](PartDialog& dialog) {
            QVERIFY(!dialog.selected());
            QVERIFY(dialog.whole().isChecked());
            QVERIFY(!dialog.option().isVisible()); // nothing is filtered
        });
        QTRY_VERIFY_WITH_TIMEOUT(!parts().isBusy() && QFile::exists(path), 30'000);
        QCOMPARE(
            eventsIn(path, "kernel"), judged(m_report, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL"));
        QCOMPARE(said(), QString("Saved " + path));
    }

    void theTraceOfARangeHoldsWhatTouchesIt()
    {
        const TimeRange part = middle();
        m_window->session().time().selectRange(part);
        const QString path = m_folder.filePath("range.json");
        choose("export.trace", path, [](PartDialog& dialog) {
            QVERIFY(dialog.selected() && dialog.selected()->isChecked()); // the selection is the default
        });
        QTRY_VERIFY_WITH_TIMEOUT(!parts().isBusy() && QFile::exists(path), 30'000);
        const int kernels = eventsIn(path, "kernel");
        QVERIFY(kernels > 0);
        QCOMPARE(kernels,
            judged(m_report,
                QString("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE start < %1 AND \"end\" > %2")
                    .arg(part.end)
                    .arg(part.start)));
        m_window->session().selection().clear();
    }

    void theTraceKeepsToTheFilterIfWanted()
    {
        EventFilter filter;
        filter.text = "kind=kernel";
        m_window->session().selection().setFilter(filter);
        const QString path = m_folder.filePath("filtered.json");
        choose("export.trace", path,
            [](PartDialog& dialog) { QVERIFY(dialog.option().isVisible() && dialog.option().isChecked()); });
        QTRY_VERIFY_WITH_TIMEOUT(!parts().isBusy() && QFile::exists(path), 30'000);
        QCOMPARE(
            eventsIn(path, "kernel"), judged(m_report, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL"));
        QCOMPARE(eventsIn(path, "cuda_api"), 0);
        m_window->session().selection().setFilter({});
    }

    void aPartIsAnExportOfItsOwn()
    {
        const TimeRange part = middle();
        m_window->session().time().selectRange(part);
        const QString path = m_folder.filePath("part.sqlite");
        const QByteArray before = hashOf(m_report);
        choose("export.cut", path, [](PartDialog& dialog) {
            QVERIFY(dialog.option().isVisible() && dialog.option().isChecked()); // private is private
            QTest::mouseClick(dialog.selected(), Qt::LeftButton, {}, {8, dialog.selected()->height() / 2});
        });
        QTRY_VERIFY_WITH_TIMEOUT(!parts().isBusy() && QFile::exists(path), 30'000);
        QCOMPARE(hashOf(m_report), before);
        const auto cut = loadReport(path.toStdString());
        QVERIFY2(cut.ok(), cut.ok() ? "" : plain(cut.error().message).c_str());
        const auto remembered = partOf(cut.value()->info);
        QVERIFY(remembered && remembered->kept == part);
        QCOMPARE(qint64(cut.value()->kernels().size()),
            judged(m_report,
                QString("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE start < %1 AND \"end\" > %2")
                    .arg(part.end)
                    .arg(part.start)));
        // Once more over it: the user was asked, and it is replaced as a whole.
        const QByteArray first = hashOf(path);
        choose("export.cut", path, [](PartDialog& dialog) {
            QTest::mouseClick(&dialog.whole(), Qt::LeftButton, {}, {8, dialog.whole().height() / 2});
            QVERIFY(dialog.whole().isChecked());
            dialog.option().setChecked(false);
        });
        QTRY_VERIFY(!parts().isBusy() && hashOf(path) != first);
        QCOMPARE(judged(path, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL"),
            judged(m_report, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL"));
        QVERIFY(QDir(m_folder.path()).entryList({"*.part"}).isEmpty());
        m_window->session().selection().clear();
    }

    /// Whatever path the file dialog gets: under its own name, and under another.
    void aReportThatIsOpenIsNeverReplaced()
    {
        const QByteArray before = hashOf(m_report);
        const QString linked = m_folder.filePath("linked.sqlite");
        std::filesystem::create_hard_link(m_report.toStdString(), linked.toStdString());
        for (const QString& path : {m_report, linked}) {
            parts().writeCut({}, path);
            QTRY_VERIFY(!parts().isBusy());
            parts().writeTrace({}, path);
            QTRY_VERIFY(!parts().isBusy());
            QCOMPARE(hashOf(m_report), before);
        }
        QCOMPARE(toldInBoxes().filter("is a report in use").size(), 4);
        m_window->docks().showPanel("tables");
        QTRY_VERIFY(m_window->isSettled());
        // The other files that panels write, too.
        for (const auto& write :
            std::vector<std::function<void()>>{[&] { m_window->panel<EventsPanel>().exportCsv(linked); },
                [&] { m_window->panel<FindingsPanel>().exportTo(linked); },
                [&] { m_window->panel<TablesPanel>().exporting().write(linked); },
                [&] { m_window->panel<MarksPanel>().exportReport({}, linked); }}) {
            write();
            QTRY_VERIFY(!m_window->findChildren<QMessageBox*>("export-failed").isEmpty());
            QCOMPARE(toldInBoxes(), QStringList{linked + " is a report in use. Choose another name."});
            QCOMPARE(hashOf(m_report), before);
        }
    }

    /// One that the user left out as well.
    void aReportThatIsListedIsNeverReplaced()
    {
        const QString leftOut = m_folder.filePath("left out.sqlite");
        QVERIFY(QFile::copy(sample, leftOut));
        MainWindow window(Theme::light());
        window.setCacheUsed(false);
        window.show();
        window.openAll({m_report, leftOut});
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 30'000);
        ReportChoices choices;
        choices.isIncluded = false;
        window.reports().change(1, choices);
        QCOMPARE(window.session().workspace().reports().size(), std::size_t{1});
        const QByteArray before = hashOf(leftOut);
        auto& exporting = *window.findChild<PartExport*>();
        exporting.writeTrace({}, leftOut);
        QTRY_VERIFY(!exporting.isBusy());
        QVERIFY(window.findChild<QMessageBox*>("export-failed"));
        QCOMPARE(hashOf(leftOut), before);
    }

    /// A dialog asks about the report that was shown when it opened, not about one that came meanwhile.
    void aReportThatOpensBehindADialogIsNotWritten()
    {
        const QString other = m_folder.filePath("behind.sqlite");
        QVERIFY(QFile::copy(sample, other));
        QString now = m_report;
        for (const char* const id : {"events.export", "findings.export", "tables.export", "marks.report",
                 "export.cut", "export.trace"}) {
            m_window->docks().showPanel("tables");
            QTRY_VERIFY(m_window->isSettled());
            const QString path = m_folder.filePath(QString(id) + ".out");
            const QString next = now == other ? m_report : other;
            bool isAnswered = false;
            QTimer answer;
            connect(&answer, &QTimer::timeout, this, [&] {
                auto* const file = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
                if (auto* const before = qobject_cast<QDialog*>(QApplication::activeModalWidget());
                    before && !file)
                    press(*before, QDialogButtonBox::Save);
                if (!file || isAnswered || m_window->session().trace().info.path != next.toStdString())
                    return;
                isAnswered = true;
                file->findChild<QLineEdit*>("fileNameEdit")->setText(path);
                press(*file, QDialogButtonBox::Save);
            });
            answer.start(20);
            QTimer::singleShot(200, m_window.get(), [&] { m_window->open(next); }); // the dialog is there
            m_window->actions().find(id)->trigger();
            QVERIFY2(isAnswered, id);
            QTRY_VERIFY(m_window->isSettled());
            QVERIFY2(said().startsWith("Another report is open now."), qPrintable(id + (": " + said())));
            QVERIFY2(!parts().isBusy() && !QFile::exists(path), id);
            now = next;
        }
        QSignalSpy settled(m_window.get(), &MainWindow::settled);
        m_window->open(m_report);
        QTRY_VERIFY(settled.count() > 0);
    }

    void theNextExportBeginsWhereTheLastWas()
    {
        const QString folder = m_folder.filePath("exports");
        QVERIFY(QDir().mkpath(folder));
        FileWriter writer(&m_window->session(), m_window.get());
        QStringList begun;
        for (int i = 0; i < 2; ++i) {
            QTimer::singleShot(0, m_window.get(), [&] {
                auto* const dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
                QVERIFY(dialog);
                begun << QFileInfo(dialog->directory().path()).canonicalFilePath();
                dialog->findChild<QLineEdit*>("fileNameEdit")->setText(folder + "/table.csv");
                QMetaObject::invokeMethod(dialog, "accept");
            });
            QCOMPARE(writer.ask("Save table", "table.csv", "CSV (*.csv)"), folder + "/table.csv");
        }
        const QString here = QFileInfo(QDir::currentPath()).canonicalFilePath();
        QVERIFY2(begun[0] != here, qPrintable(begun[0])); // beside the report, or the export before
        QCOMPARE(begun[1], QFileInfo(folder).canonicalFilePath());
    }

    void whatCannotBeWrittenIsTold()
    {
        for (const QString& path : {QString("/nowhere/part.sqlite"), QString("/nowhere/trace.json")}) {
            if (path.endsWith(".json"))
                parts().writeTrace({}, path);
            else
                parts().writeCut({}, path);
            QTRY_VERIFY(!parts().isBusy());
            const QStringList told = toldInBoxes();
            QCOMPARE(told.size(), 1);
            // The requested file, without internal ones.
            QVERIFY2(told.front().contains(path), qPrintable(told.front()));
            QVERIFY2(!told.front().contains(".part "), qPrintable(told.front()));
            QVERIFY2(told.front().endsWith(". Choose another folder."), qPrintable(told.front()));
            QCOMPARE(said(), told.front());
        }
        m_window->panel<EventsPanel>().exportCsv("/nowhere/events.csv");
        QStringList told;
        QTRY_VERIFY(!(told += toldInBoxes()).isEmpty());
        QVERIFY(told.front().startsWith("Cannot write /nowhere/events.csv"));
        QVERIFY(!parts().progress());
    }

    /// The part would be of another recording than the one that is shown.
    void noPartIsCutFromAReplacedFile()
    {
        const QString kept = m_folder.filePath("kept.sqlite");
        const QString path = m_folder.filePath("replaced.sqlite");
        QVERIFY(QFile::rename(m_report, kept));
        QVERIFY(QFile::copy(WARPLINE_TEST_DATA "/reports/payload.sqlite", m_report));
        parts().writeCut({}, path);
        QTRY_VERIFY(!parts().isBusy());
        QCOMPARE(toldInBoxes().size(), 1);
        QVERIFY(!QFile::exists(path));
        QVERIFY(QFile::remove(m_report) && QFile::rename(kept, m_report));
    }

    void whatIsCancelledLeavesNothingBehind()
    {
        const QString path = m_folder.filePath("cancelled.json");
        parts().writeTrace({}, path);
        QVERIFY(parts().isBusy() && parts().progress());
        parts().writeTrace({}, m_folder.filePath("second.json")); // one at a time
        QVERIFY(!QFile::exists(m_folder.filePath("second.json")));
        parts().progress()->show();
        auto* const button = parts().progress()->findChild<QPushButton*>();
        QVERIFY(button);
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(!parts().isBusy());
        QVERIFY(said().contains("cancelled"));
        QTest::qWait(200); // it may be complete already; a partial file never exists
        QVERIFY(QDir(m_folder.path()).entryList({"*.part", "*.json.*"}).isEmpty());
        QVERIFY(!QFile::exists(path) || eventsIn(path, "kernel") > 0);
    }

private:
    PartExport& parts() { return *m_window->findChild<PartExport*>(); }
    /// Texts of open message boxes, which are closed.
    QStringList toldInBoxes()
    {
        QStringList told;
        for (QMessageBox* const box : m_window->findChildren<QMessageBox*>("export-failed")) {
            if (box->isVisible()) {
                told << box->text();
                QTest::mouseClick(box->button(QMessageBox::Ok), Qt::LeftButton);
            }
        }
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        return told;
    }
    QString said() { return m_window->findChild<QLabel*>("status")->text(); }
    /// Some of the kernels lie in it.
    TimeRange middle()
    {
        const auto kernel = [&](int place) {
            return judged(m_report,
                QString("SELECT start FROM CUPTI_ACTIVITY_KIND_KERNEL ORDER BY start LIMIT 1 OFFSET %1")
                    .arg(place));
        };
        return {kernel(20) - 5, kernel(100) + 5};
    }

    /// Triggers the action in the menu, answers its dialog after calling `look`, and enters `path`.
    void choose(const char* id, const QString& path, const std::function<void(PartDialog&)>& look)
    {
        QTimer answer;
        QPointer<QWidget> answered;
        answer.setInterval(20);
        connect(&answer, &QTimer::timeout, this, [&] {
            QWidget* const open = QApplication::activeModalWidget();
            if (open == answered)
                return;
            answered = open;
            if (auto* const part = qobject_cast<PartDialog*>(open)) {
                look(*part);
                press(*part, QDialogButtonBox::Save);
            } else if (auto* const file = qobject_cast<QFileDialog*>(open)) {
                // The whole path: selectFile() uses a folder that may still be loading.
                file->findChild<QLineEdit*>("fileNameEdit")->setText(path);
                press(*file, QDialogButtonBox::Save);
            } else if (auto* const question = qobject_cast<QMessageBox*>(open)) {
                QMetaObject::invokeMethod(question->button(QMessageBox::Yes), "click", Qt::QueuedConnection);
            }
        });
        answer.start();
        m_window->actions().find(id)->trigger();
    }

    static void press(QDialog& dialog, QDialogButtonBox::StandardButton which)
    {
        auto* const box = dialog.findChild<QDialogButtonBox*>();
        QVERIFY(box && box->button(which));
        QMetaObject::invokeMethod(box->button(which), "click", Qt::QueuedConnection); // it may ask on
    }

    QTemporaryDir m_folder;
    QString m_report;
    std::unique_ptr<MainWindow> m_window;
};

WARPLINE_TEST(PartExportTest)

} // namespace tst_part_export

#include "tst_part_export.moc"
