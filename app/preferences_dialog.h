#pragma once

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QTreeWidget;

namespace warpline {

/// Theme, the path of nsys, and the thresholds of the rules. Stores what was chosen when it is accepted.
class PreferencesDialog : public QDialog {
    Q_OBJECT
public:
    explicit PreferencesDialog(QWidget* parent = nullptr);

    QComboBox& theme() { return *m_theme; }
    QLineEdit& nsysPath() { return *m_nsys; }
    QCheckBox& keepsTraces() { return *m_keep; }
    QTreeWidget& rules() { return *m_rules; }
    void accept() override;

private:
    QWidget* makeGeneral();
    QWidget* makeRules();
    QWidget* makeCacheRow();
    void fillRules(bool defaults);

    QComboBox* m_theme;
    QLineEdit* m_nsys;
    QCheckBox* m_keep;
    QTreeWidget* m_rules;
};

} // namespace warpline
