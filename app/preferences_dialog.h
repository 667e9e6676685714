#pragma once

#include <QDialog>
#include <QVariantMap>

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QSpinBox;
class QTreeWidget;

namespace warpline {

class KeyEditor;

/// Language, theme, text size, motion, path of nsys, thresholds of the rules, and shortcuts. What the user
/// changed is stored when the dialog is accepted: another window may have changed the rest.
class PreferencesDialog : public QDialog {
    Q_OBJECT
public:
    explicit PreferencesDialog(QWidget* parent = nullptr);

    QComboBox& language() { return *m_language; } ///< by keys; empty: that of the system
    QComboBox& theme() { return *m_theme; }
    QCheckBox& colorBlindSafe() { return *m_safe; }
    QSpinBox& textSize() { return *m_textSize; } ///< below minTextSize: as the desktop has it
    QLineEdit& nsysPath() { return *m_nsys; }
    QCheckBox& motion() { return *m_motion; }
    QCheckBox& keepsTraces() { return *m_keep; }
    QTreeWidget& rules() { return *m_rules; }
    KeyEditor& keys() { return *m_keys; }
    QLabel& problem() { return *m_problem; } ///< why the dialog cannot be accepted as it is
    void accept() override;

private:
    QWidget* makeGeneral();
    QWidget* makeRules();
    QWidget* makeCacheRow();
    void fillRules(bool defaults);
    void showProblem();
    QVariantMap choices() const; ///< of the page General, by their names in the settings

    QComboBox* m_language;
    QComboBox* m_theme;
    QCheckBox* m_safe;
    QSpinBox* m_textSize;
    QLineEdit* m_nsys;
    QLineEdit* m_editor;
    QCheckBox* m_motion;
    QCheckBox* m_keep;
    QTreeWidget* m_rules;
    KeyEditor* m_keys;
    QLabel* m_problem;
    QDialogButtonBox* m_buttons;
    QVariantMap m_shownAtFirst; ///< choices()
};

} // namespace warpline
