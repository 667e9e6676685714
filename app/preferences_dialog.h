#pragma once

#include <QDialog>

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
    QTreeWidget& rules() { return *m_rules; }
    void accept() override;

private:
    QWidget* makeGeneral();
    QWidget* makeRules();
    void fillRules(bool defaults);

    QComboBox* m_theme;
    QLineEdit* m_nsys;
    QTreeWidget* m_rules;
};

} // namespace warpline
