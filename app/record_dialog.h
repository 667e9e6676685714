#pragma once

#include "app/record_command.h"

#include <QDialog>
#include <QList>

class QButtonGroup;
class QCheckBox;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace warpline {

/// "Record a report": what one wants to know, with what and where it is recorded, and the command for it.
class RecordDialog : public QDialog {
    Q_OBJECT
public:
    /// `open`: the report that is open, whose gaps are named; nullptr: none is.
    explicit RecordDialog(const Trace* open, QWidget* parent = nullptr);

    QString command() const;
    QButtonGroup& goals() { return *m_goals; }
    QButtonGroup& tools() { return *m_tools; }
    QButtonGroup& launchers() { return *m_launchers; }
    QLineEdit& program() { return *m_program; }
    QPushButton& copyButton() { return *m_copy; }

private:
    void fill();

    QButtonGroup* m_goals;
    QButtonGroup* m_tools;
    QButtonGroup* m_launchers;
    QCheckBox* m_metrics;
    QCheckBox* m_memory;
    QCheckBox* m_graphNodes;
    QCheckBox* m_stacks;
    QLineEdit* m_program;
    QPlainTextEdit* m_command;
    QPushButton* m_copy;
};

} // namespace warpline
