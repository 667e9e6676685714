#include "app/preferences_dialog.h"

#include "app/key_editor.h"
#include "app/language_choice.h"
#include "app/motion_choice.h"
#include "app/report_converter.h"
#include "app/text_size.h"
#include "app/theme_choice.h"
#include "core/base/duration_text.h"
#include "core/base/format.h"
#include "core/base/moment.h"
#include "core/cache/trace_cache.h"
#include "core/render/language.h"
#include "core/render/render.h"
#include "views/session/rule_settings.h"
#include "views/session/source_editor.h"
#include "views/style/rich_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>

namespace warpline {

namespace {

/// A duration as people write it: "500 ms", "2.5 us".
class DurationBox : public QDoubleSpinBox {
public:
    QString textFromValue(double ns) const override
    {
        constexpr int digits = 10; // all of them
        return QString::fromStdString(shortDuration(ns, digits));
    }
    double valueFromText(const QString& text) const override
    {
        const auto time = parseTime(text.toStdString());
        return time.ok() ? static_cast<double>(time.value()) : value();
    }
    QValidator::State validate(QString& text, int&) const override
    {
        return parseTime(text.toStdString()).ok() ? QValidator::Acceptable : QValidator::Intermediate;
    }
};

/// A text size: refuses digits that lead beyond the largest. Fewer than the lowest may be on the way to a
/// size, and become the lowest.
class TextSizeBox : public QSpinBox {
public:
    using QSpinBox::QSpinBox;

    QValidator::State validate(QString& text, int& position) const override
    {
        const std::optional<int> points = numberIn(text);
        if (points && *points != std::clamp(*points, minTextSize, maxTextSize))
            return *points < minTextSize ? QValidator::Intermediate : QValidator::Invalid;
        return QSpinBox::validate(text, position);
    }
    void fixup(QString& text) const override
    {
        if (const std::optional<int> points = numberIn(text))
            text = QString::number(std::clamp(*points, minTextSize, maxTextSize)) + suffix();
    }

private:
    std::optional<int> numberIn(QString text) const
    {
        bool isNumber = false;
        const int number = text.remove(suffix()).trimmed().toInt(&isNumber);
        return isNumber ? std::optional(number) : std::nullopt;
    }
};

constexpr int shownAtFirst = Qt::UserRole; ///< of column 1: the text of a box that nobody has changed

QDoubleSpinBox* spinBoxFor(const Threshold& threshold, double value)
{
    const bool isDuration = threshold.unit == "ns";
    QDoubleSpinBox* const box = isDuration ? new DurationBox : new QDoubleSpinBox;
    box->setRange(0, threshold.most());
    const bool whole = threshold.value == static_cast<double>(static_cast<long long>(threshold.value))
        && threshold.value != 0;
    box->setDecimals(!whole ? 3 : threshold.unit == "%" ? 1 : 0);
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    box->setGroupSeparatorShown(true);
    box->setSuffix(threshold.unit.empty() || isDuration ? QString() : ' ' + textOf(threshold.unit));
    box->setValue(value);
    return box;
}

int placeOfWantedLanguage(const QComboBox& languages)
{
    return std::max(0, languages.findData(wantedLanguage()));
}

} // namespace

PreferencesDialog::PreferencesDialog(QWidget* parent)
    : QDialog(parent),
      m_language(new QComboBox(this)),
      m_theme(new QComboBox(this)),
      m_safe(new QCheckBox(tr("Palette that is safe for red-green color blindness"), this)),
      m_textSize(new TextSizeBox(this)),
      m_nsys(new QLineEdit(this)),
      m_editor(new QLineEdit(this)),
      m_motion(new QCheckBox(tr("Animate navigation"), this)),
      m_keep(new QCheckBox(tr("Cache large reports so that they open faster"), this)),
      m_rules(new QTreeWidget(this)),
      m_keys(new KeyEditor(this)),
      m_problem(new QLabel(this)),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this))
{
    setWindowTitle(tr("Preferences"));
    resize(720, 520);
    auto* const tabs = new QTabWidget(this);
    tabs->addTab(makeGeneral(), tr("General"));
    m_shownAtFirst = choices();
    tabs->addTab(makeRules(), tr("Findings"));
    tabs->addTab(m_keys, tr("Shortcuts"));
    m_problem->setWordWrap(true);
    connect(m_keys, &KeyEditor::changed, this, &PreferencesDialog::showProblem);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &PreferencesDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* const layout = new QVBoxLayout(this);
    layout->addWidget(tabs, 1);
    layout->addWidget(m_problem);
    layout->addWidget(m_buttons);
    showProblem();
}

void PreferencesDialog::showProblem()
{
    const QString problem = m_keys->problem();
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(problem.isEmpty());
}

QWidget* PreferencesDialog::makeGeneral()
{
    m_language->addItem(tr("System language"), QString());
    for (const Language* const each : allLanguages()) {
        if (!each->isPseudo)
            m_language->addItem(textOf(each->title), textOf(each->key));
    }
    m_language->setCurrentIndex(placeOfWantedLanguage(*m_language));
    m_theme->addItem(tr("System"), "system");
    m_theme->addItem(tr("Light"), "light");
    m_theme->addItem(tr("Dark"), "dark");
    m_theme->addItem(tr("High contrast, light"), "contrast-light");
    m_theme->addItem(tr("High contrast, dark"), "contrast-dark");
    m_theme->setCurrentIndex(m_theme->findData(chosenThemeName()));
    m_nsys->setText(QSettings().value("nsysProgram").toString());
    m_nsys->setPlaceholderText(tr("Use nsys from PATH"));
    auto* const browse = new QToolButton(this);
    browse->setText(tr("Browse\u2026"));
    connect(browse, &QToolButton::clicked, this, [this] {
        const QString path = QFileDialog::getOpenFileName(
            this, tr("The nsys program"), m_nsys->text(), {}, nullptr, QFileDialog::ReadOnly);
        if (!path.isEmpty())
            m_nsys->setText(path);
    });
    auto* const program = new QHBoxLayout;
    program->addWidget(m_nsys, 1);
    program->addWidget(browse);
    auto* const page = new QWidget(this);
    auto* const form = new QFormLayout(page);
    form->addRow(tr("Language"), m_language);
    form->addRow(tr("Theme"), m_theme);
    m_safe->setChecked(choosesColorBlindSafe());
    form->addRow(tr("Colors"), m_safe);
    m_textSize->setRange(minTextSize - 1, maxTextSize);
    m_textSize->setSpecialValueText(tr("System default"));
    m_textSize->setSuffix(tr(" pt"));
    m_textSize->setToolTip(tr("From %1 to %2 points").arg(minTextSize).arg(maxTextSize));
    m_textSize->setValue(chosenTextSize() == 0 ? minTextSize - 1 : chosenTextSize());
    form->addRow(tr("Text size"), m_textSize);
    m_motion->setChecked(motionIsChosen());
    m_motion->setToolTip(tr("Helps you keep your place. Off when your system disables animations."));
    form->addRow(tr("Motion"), m_motion);
    m_editor->setText(editorCommand());
    m_editor->setObjectName("editor-command");
    m_editor->setPlaceholderText(QStringLiteral("code --goto {file}:{line}"));
    m_editor->setToolTip(tr("Opens source lines of call stacks. Leave empty to turn the links off."));
    form->addRow(tr("Editor"), m_editor);
    form->addRow(tr("nsys"), program);
    auto* const hint
        = new QLabel(tr("nsys converts recordings (.nsys-rep, .qdrep) when you open them."), page);
    hint->setWordWrap(true);
    form->addRow(QString(), hint);
    form->addRow(tr("Opening"), makeCacheRow());
    return page;
}

QVariantMap PreferencesDialog::choices() const
{
    return {{"language", m_language->currentData()}, {"theme", m_theme->currentData()},
        {"colors/safe", m_safe->isChecked()},
        {"text/points", m_textSize->value() < minTextSize ? 0 : m_textSize->value()},
        {"timeline/motion", m_motion->isChecked()}, {"editor/command", m_editor->text().trimmed()},
        {"nsysProgram", m_nsys->text().trimmed()}, {"cache/keep", m_keep->isChecked()}};
}

QWidget* PreferencesDialog::makeCacheRow()
{
    m_keep->setChecked(QSettings().value("cache/keep", true).toBool());
    m_keep->setToolTip(
        tr("Reports of 10 million events or more open faster the next time. Copies are kept in %1.")
            .arg(QString::fromStdString(defaultCacheFolder())));
    auto* const row = new QWidget(this);
    auto* const clear = new QPushButton(row);
    clear->setObjectName("clear-cache");
    const auto showSize = [clear] {
        const std::uint64_t bytes
            = withinAMoment([] { return cacheBytes(defaultCacheFolder()); }).value_or(0);
        clear->setText(tr("Remove %1").arg(QString::fromStdString(formatBytes(bytes))));
        clear->setVisible(bytes > 0); // else there is nothing to remove
    };
    showSize();
    connect(clear, &QPushButton::clicked, this, [showSize] {
        withinAMoment([] { return clearCache(defaultCacheFolder()); }, std::chrono::seconds(2));
        showSize();
    });
    auto* const layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_keep, 1);
    layout->addWidget(clear);
    return row;
}

QWidget* PreferencesDialog::makeRules()
{
    m_rules->setHeaderLabels({tr("Rule and threshold"), tr("Value"), tr("Default")});
    m_rules->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_rules->header()->setStretchLastSection(false);
    m_rules->setColumnWidth(1, 190);
    m_rules->setColumnWidth(2, 130);
    fillRules(false);
    auto* const reset = new QPushButton(tr("All defaults"), this);
    connect(reset, &QPushButton::clicked, this, [this] { fillRules(true); });
    auto* const page = new QWidget(this);
    auto* const layout = new QVBoxLayout(page);
    layout->addWidget(m_rules, 1);
    layout->addWidget(reset, 0, Qt::AlignLeft);
    return page;
}

void PreferencesDialog::fillRules(bool defaults)
{
    m_rules->clear();
    for (const Rule* const rule : allRules()) {
        if (rule->thresholds.empty())
            continue;
        auto* const item = new QTreeWidgetItem(m_rules, {textOf(plain(rule->titleText()))});
        item->setToolTip(0, textOf(plain(rule->whyText())));
        for (const Threshold& threshold : rule->thresholds) {
            auto* const line = new QTreeWidgetItem(item, {textOf(plain(rule->titleOf(threshold)))});
            QDoubleSpinBox* const box
                = spinBoxFor(threshold, defaults ? threshold.value : RuleSettings::value(*rule, threshold));
            line->setText(2, box->prefix() + box->textFromValue(threshold.value) + box->suffix());
            if (!defaults) // else it is what the user wants, whatever was there
                line->setData(1, shownAtFirst, box->textFromValue(box->value()));
            m_rules->setItemWidget(line, 1, box);
        }
        item->setExpanded(true);
    }
}

void PreferencesDialog::accept()
{
    m_keys->takeOthers();
    showProblem();
    if (!m_keys->problem().isEmpty())
        return;
    const QString nsys = m_nsys->text().trimmed();
    if (!nsys.isEmpty() && !ReportConverter::isProgram(nsys)) {
        QMessageBox::warning(
            this, tr("Preferences"), tr("%1 is not a program. Choose another file.").arg(nsys));
        return;
    }
    if (const QString problem = problemOfEditor(m_editor->text().trimmed()); !problem.isEmpty()) {
        QMessageBox::warning(this, tr("Preferences"), problem);
        return;
    }
    const QVariantMap wanted = choices();
    for (auto each = wanted.cbegin(); each != wanted.cend(); ++each) {
        if (each.value() == m_shownAtFirst.value(each.key()))
            continue;
        if (each.key() == "language")
            storeLanguage(each.value().toString());
        else if (each.key() == "theme")
            storeTheme(each.value().toString());
        else if (each.key() == "editor/command")
            setEditorCommand(each.value().toString());
        else
            QSettings().setValue(each.key(), each.value());
    }
    m_keys->store();
    int at = 0;
    for (const Rule* const rule : allRules()) {
        if (rule->thresholds.empty())
            continue;
        const QTreeWidgetItem* const item = m_rules->topLevelItem(at++);
        for (std::size_t i = 0; i < rule->thresholds.size(); ++i) {
            QTreeWidgetItem* const line = item->child(static_cast<int>(i));
            const auto* const box = qobject_cast<QDoubleSpinBox*>(m_rules->itemWidget(line, 1));
            const Threshold& threshold = rule->thresholds[i];
            // The box rounds: what was only rounded stays as it is, and a default the default.
            const QString shown = box->textFromValue(box->value());
            if (shown == line->data(1, shownAtFirst).toString())
                continue;
            const bool isDefault = shown == box->textFromValue(threshold.value);
            RuleSettings::setValue(*rule, threshold, isDefault ? threshold.value : box->value());
        }
    }
    QDialog::accept();
}

} // namespace warpline
