#include "app/record_command.h"

#include "core/store/trace.h"

#include <QStringList>

#include <algorithm>

namespace warpline {

namespace {

bool isSeveral(const RecordChoice& choice)
{
    return choice.launcher == RecordLauncher::Slurm || choice.launcher == RecordLauncher::Mpirun
        || choice.goal == RecordGoal::Ranks;
}

/// The variable of the environment that holds the rank.
QString rankVariable(RecordLauncher launcher)
{
    switch (launcher) {
    case RecordLauncher::Slurm:
        return "SLURM_PROCID";
    case RecordLauncher::Mpirun:
        return "OMPI_COMM_WORLD_RANK";
    default:
        return "RANK"; // torchrun and similar launchers
    }
}

QString launched(RecordLauncher launcher, const QString& command)
{
    switch (launcher) {
    case RecordLauncher::Direct:
        break;
    case RecordLauncher::Slurm:
        return "srun " + command;
    case RecordLauncher::Mpirun:
        return "mpirun -n 8 " + command;
    case RecordLauncher::Container:
        return "docker run --rm --gpus all --cap-add=SYS_ADMIN -v \"$PWD:/work\" -w /work IMAGE \\\n    "
            + command;
    }
    return command;
}

QString nsysCommand(const RecordChoice& choice, const QString& program)
{
    const RecordExtras& extras = choice.extras;
    QStringList options{isSeveral(choice) ? "-t cuda,nvtx,osrt,mpi" : "-t cuda,nvtx,osrt",
        extras.stacks ? "--sample=process-tree --cpuctxsw=process-tree" : "--sample=none --cpuctxsw=none"};
    if (extras.metrics)
        options << "--gpu-metrics-devices=all";
    if (extras.memory)
        options << "--cuda-memory-usage=true";
    if (extras.graphNodes)
        options << "--cuda-graph-trace=node";
    if (extras.stacks && program.contains("python"))
        options << "--python-sampling=true";
    options << (isSeveral(choice) ? "-o rank%q{" + rankVariable(choice.launcher) + "}" : "-o report");
    const QString more = extras.stacks && program.contains("python") ? " --include-json=true" : "";
    return launched(choice.launcher, "nsys profile " + options.join(' ') + " \\\n    " + program) + '\n'
        + (isSeveral(choice) ? "for r in rank*.nsys-rep; do nsys export --type sqlite" + more
                    + " -o \"${r%.nsys-rep}.sqlite\" \"$r\"; done\nwarpline 'rank*.sqlite'"
                             : "nsys export --type sqlite" + more
                    + " -o report.sqlite report.nsys-rep\nwarpline report.sqlite");
}

QString torchCommand(const RecordChoice& choice, const QString& program)
{
    const RecordExtras& extras = choice.extras;
    QStringList options{"record_shapes=True"};
    if (extras.memory)
        options << "profile_memory=True";
    if (extras.stacks)
        options << "with_stack=True";
    const QString file = isSeveral(choice)
        ? "f\"rank{os.environ['" + rankVariable(choice.launcher) + "']}.json.gz\""
        : "\"trace.json.gz\"";
    return QString(isSeveral(choice) ? "import os\n" : "")
        + "from torch.profiler import profile, schedule\n\n"
          "with profile(schedule=schedule(wait=5, warmup=2, active=5), "
        + options.join(", ") + ",\n             on_trace_ready=lambda p: p.export_chrome_trace(" + file
        + ")) as p:\n    for batch in loader:\n        train_step(batch)\n        p.step()\n\n"
        + launched(choice.launcher, program) + "\nwarpline "
        + (isSeveral(choice) ? "'rank*.json.gz'" : "trace.json.gz");
}

} // namespace

RecordExtras extrasFor(RecordGoal goal)
{
    RecordExtras extras;
    extras.memory = goal == RecordGoal::Memory;
    extras.metrics = goal == RecordGoal::Kernel;
    extras.graphNodes = goal == RecordGoal::Kernel;
    return extras;
}

RecordExtras extrasMissing(const Trace& trace)
{
    RecordExtras missing;
    missing.metrics = std::ranges::none_of(
        trace.counters, [](const CounterSeries& series) { return series.kind == CounterKind::GpuMetric; });
    missing.memory = trace.gpuMemory().empty();
    missing.graphNodes = !trace.table(EventKind::GraphTrace).empty();
    missing.stacks = trace.table(EventKind::Sample).empty();
    return missing;
}

QString recordCommand(const RecordChoice& choice)
{
    const bool isTorch = choice.tool == RecordTool::Torch;
    const QString program = !choice.program.trimmed().isEmpty() ? choice.program.trimmed()
        : isTorch                                               ? "python train.py"
                                                                : "./program";
    QString command = isTorch ? torchCommand(choice, program) : nsysCommand(choice, program);
    if (choice.goal == RecordGoal::Kernel) // neither of the two records it
        command += "\n\nncu --set full --launch-count 1 --kernel-name regex:NAME -o kernel " + program;
    return command;
}

} // namespace warpline
