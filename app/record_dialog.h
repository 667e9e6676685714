#pragma once

#include "app/record_command.h"

#include <QDialog>

class QButtonGroup;
class QCheckBox;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace warpline {

/// "Record a report": choices of purpose, recorder and launcher, with the resulting command.
class RecordDialog : public QDialog {
    Q_OBJECT
public:
    /// `open`: the open report, whose missing data is listed; nullptr: none.
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
