#include "app/record_dialog.h"

#include "views/style/text_scale.h"

#include <QApplication>
#include <QButtonGroup>
#include <QCheckBox>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

namespace warpline {

namespace {

/// A box of choices of which the first holds at first; their ids are their places.
QGroupBox* choiceBox(const QString& title, const QStringList& choices, QButtonGroup& group, QWidget* parent)
{
    auto* const box = new QGroupBox(title, parent);
    auto* const layout = new QVBoxLayout(box);
    for (const QString& choice : choices) {
        auto* const button = new QRadioButton(choice, box);
        group.addButton(button, static_cast<int>(group.buttons().size()));
        layout->addWidget(button);
    }
    layout->addStretch();
    group.buttons().front()->setChecked(true);
    return box;
}

} // namespace

RecordDialog::RecordDialog(const Trace* open, QWidget* parent)
    : QDialog(parent),
      m_goals(new QButtonGroup(this)),
      m_tools(new QButtonGroup(this)),
      m_launchers(new QButtonGroup(this)),
      m_metrics(new QCheckBox(this)),
      m_memory(new QCheckBox(this)),
      m_graphNodes(new QCheckBox(this)),
      m_stacks(new QCheckBox(this)),
      m_program(new QLineEdit(this)),
      m_command(new QPlainTextEdit(this)),
      m_copy(new QPushButton(tr("Copy command"), this))
{
    setWindowTitle(tr("Record a report"));
    resize(760, 560);
    auto* const choices = new QHBoxLayout;
    choices->addWidget(choiceBox(tr("What do you want to know?"),
        {tr("Where time goes"), tr("Why ranks wait"), tr("GPU memory use"), tr("One kernel")}, *m_goals,
        this));
    choices->addWidget(
        choiceBox(tr("With"), {tr("Nsight Systems (nsys)"), tr("PyTorch profiler")}, *m_tools, this));
    choices->addWidget(choiceBox(
        tr("Where"), {tr("This machine"), tr("Slurm"), tr("mpirun"), tr("Container")}, *m_launchers, this));
    auto* const also = new QGroupBox(tr("Also record"), this);
    auto* const extras = new QVBoxLayout(also);
    const RecordExtras missing = open ? extrasMissing(*open) : RecordExtras();
    const auto offer = [&](QCheckBox* box, const QString& text, bool isMissing) {
        box->setText(isMissing ? tr("%1 (not in this report)").arg(text) : text);
        connect(box, &QCheckBox::toggled, this, &RecordDialog::fill);
        extras->addWidget(box);
    };
    offer(m_metrics, tr("GPU metrics"), missing.metrics);
    offer(m_memory, tr("GPU memory"), missing.memory);
    offer(m_graphNodes, tr("Kernels of CUDA graphs"), missing.graphNodes);
    offer(m_stacks, tr("Call stacks"), missing.stacks);
    extras->addStretch();
    choices->addWidget(also);
    m_program->setPlaceholderText(tr("Command that starts your program, such as python train.py"));
    m_program->setAccessibleName(tr("Command that starts your program"));
    m_program->setClearButtonEnabled(true);
    m_command->setReadOnly(true);
    m_command->setAccessibleName(tr("Command"));
    m_command->setFont(codeFont());
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->addButton(m_copy, QDialogButtonBox::ActionRole);
    m_copy->setDefault(true);
    auto* const layout = new QVBoxLayout(this);
    layout->addLayout(choices);
    layout->addWidget(m_program);
    layout->addWidget(m_command, 1);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(command()); });
    connect(m_program, &QLineEdit::textChanged, this, &RecordDialog::fill);
    connect(m_tools, &QButtonGroup::idClicked, this, &RecordDialog::fill);
    connect(m_launchers, &QButtonGroup::idClicked, this, &RecordDialog::fill);
    connect(m_goals, &QButtonGroup::idClicked, this, [this](int goal) {
        const RecordExtras wanted = extrasFor(static_cast<RecordGoal>(goal));
        m_metrics->setChecked(wanted.metrics);
        m_memory->setChecked(wanted.memory);
        m_graphNodes->setChecked(wanted.graphNodes);
        m_stacks->setChecked(wanted.stacks);
        fill();
    });
    fill();
}

QString RecordDialog::command() const
{
    return m_command->toPlainText();
}

void RecordDialog::fill()
{
    RecordChoice choice;
    choice.goal = static_cast<RecordGoal>(m_goals->checkedId());
    choice.tool = static_cast<RecordTool>(m_tools->checkedId());
    choice.launcher = static_cast<RecordLauncher>(m_launchers->checkedId());
    choice.extras
        = {m_metrics->isChecked(), m_memory->isChecked(), m_graphNodes->isChecked(), m_stacks->isChecked()};
    choice.program = m_program->text();
    const bool isNsys = choice.tool == RecordTool::Nsys;
    m_metrics->setEnabled(isNsys); // torch.profiler cannot
    m_graphNodes->setEnabled(isNsys);
    m_command->setPlainText(recordCommand(choice));
}

} // namespace warpline
