// The checklist as text.

#include "core/export/checklist_text.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_checklist_text {

using namespace warpline;

class ChecklistTextTest : public QObject {
    Q_OBJECT

private slots:
    void longValuesEndBeforeTheReason();
};

void ChecklistTextTest::longValuesEndBeforeTheReason()
{
    ChecklistAnswer answer;
    answer.answer = Answer::Yes;
    answer.question = "Are kernels long enough?";
    answer.figure = "34.0% short, limit 60.0%";
    answer.explanation = "Kernels are short.";
    const QString text = QString::fromStdString(checklistTable(std::span(&answer, 1)));
    QVERIFY2(text.contains("34.0% short, limit 60.0% Kernels are short."), qPrintable(text));
}

WARPLINE_TEST(ChecklistTextTest)

} // namespace tst_checklist_text

#include "tst_checklist_text.moc"
