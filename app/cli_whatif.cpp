// warpline-cli whatif: how long the steps would take with something changed.

#include "app/cli_arguments.h"
#include "app/cli_command.h"
#include "app/cli_nvtx.h"
#include "app/cli_report.h"
#include "core/base/read_real.h"
#include "core/export/whatif_text.h"
#include "core/findings/ready_input.h"
#include "core/replay/what_if.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string_view>

namespace warpline::cli {

namespace {

struct WhatIfOptions {
    ReportOptions report;
    std::string steps;
    std::vector<std::string> without;
    std::vector<std::string> scale;
    std::vector<std::string> overlap;
    bool graph = false;
    std::string readyInput;
};

/// An edit and the words of the command line that ask for it.
struct AskedEdit {
    std::string words; ///< "--without sync"
    std::string nothing; ///< what the report lacks where the edit fits nothing
    CureEdit edit;
};

constexpr std::string_view kernelPrefix = "kernel=";

Result<AskedEdit> withoutEdit(const std::string& what)
{
    AskedEdit asked{"--without " + what, {}, {}};
    if (what == "sync") {
        asked.edit.kind = CureKind::RemoveSync;
        asked.nothing = "the replayed time has no synchronizing call";
    } else if (what == "allocation") {
        asked.edit.kind = CureKind::PoolAllocations;
        asked.nothing = "nothing is allocated or freed in the replayed time";
    } else if (what == "copies") {
        asked.edit.kind = CureKind::RemoveWork;
        asked.edit.name = "*";
        asked.edit.work = EventKind::Memcpy;
        asked.nothing = "the replayed time has no copy";
    } else if (what == "launches") {
        asked.edit.kind = CureKind::LaunchGraph;
        asked.edit.factor = FactorRange::exactly(0);
        asked.nothing = "the replayed time has no two launches without a wait in between";
    } else if (what.starts_with(kernelPrefix) && what.size() > kernelPrefix.size()) {
        asked.edit.kind = CureKind::RemoveWork;
        asked.edit.name = what.substr(kernelPrefix.size());
        asked.edit.work = EventKind::Kernel;
        asked.nothing = fmt::format("no kernel of the replayed time is named '{}'", asked.edit.name);
    } else {
        return Error{
            fmt::format("--without: '{}' is none of sync, allocation, copies, launches, kernel=GLOB", what)};
    }
    return asked;
}

Result<AskedEdit> scaleEdit(const std::string& what)
{
    const std::size_t colon = what.rfind(':');
    const std::string_view number
        = colon == std::string::npos ? std::string_view() : std::string_view(what).substr(colon + 1);
    double factor = -1;
    const bool isNumber = !number.empty() && readReal(number, factor).ptr == number.data() + number.size();
    if (!what.starts_with(kernelPrefix) || colon <= kernelPrefix.size() || !isNumber
        || !(factor >= 0 && factor <= 1000)) {
        return Error{fmt::format(
            "--scale: '{}' is not kernel=GLOB:FACTOR with a factor from 0 to 1000, as in kernel=*gemm*:0.5",
            what)};
    }
    AskedEdit asked{"--scale " + what, {}, {}};
    asked.edit.kind = CureKind::ScaleWork;
    asked.edit.name = what.substr(kernelPrefix.size(), colon - kernelPrefix.size());
    asked.edit.work = EventKind::Kernel;
    asked.edit.factor = FactorRange::exactly(factor);
    asked.nothing = fmt::format("no kernel of the replayed time is named '{}'", asked.edit.name);
    return asked;
}

Result<std::vector<AskedEdit>> editsOf(const WhatIfOptions& options)
{
    std::vector<AskedEdit> edits;
    for (const std::string& what : options.scale) {
        auto asked = scaleEdit(what);
        if (!asked.ok())
            return asked.error();
        edits.push_back(asked.take());
    }
    for (const std::string& what : options.overlap) {
        const bool copies = what == "copies";
        edits.push_back({"--overlap " + what,
            copies ? "the replayed time has no copy between host and GPU"
                   : "the replayed time has no kernel of a collective",
            {.kind = copies ? CureKind::OverlapCopies : CureKind::OverlapCommunication}});
    }
    for (const std::string& what : options.without) {
        auto asked = withoutEdit(what);
        if (!asked.ok())
            return asked.error();
        edits.push_back(asked.take());
    }
    if (!options.readyInput.empty()) {
        AskedEdit asked{"--ready-input", "no NVTX range in the replayed time loads data", {}};
        asked.edit.kind = CureKind::ReadyInput;
        if (options.readyInput != "*") {
            asked.edit.name = options.readyInput;
            asked.words += "=" + options.readyInput;
            asked.nothing = fmt::format(
                "no NVTX range named '{}' takes host time in the replayed time", options.readyInput);
        }
        edits.push_back(std::move(asked));
    }
    // Last: what else goes is not launched by the graph.
    if (options.graph)
        edits.push_back({"--graph", "the replayed time has no two launches without a wait in between",
            {.kind = CureKind::LaunchGraph}});
    return edits;
}

ExitCode runWhatIf(Answer& answer, const WhatIfOptions& options)
{
    auto edits = editsOf(options);
    if (!edits.ok())
        return answer.wrongUsage(edits.error().message);
    const auto trace = openReport(answer, options.report.file, options.report.noCache);
    if (!trace)
        return ExitCode::UnreadableReport;
    if (!options.steps.empty()) {
        if (const std::string problem = noSuchRange(*trace, options.steps); !problem.empty())
            return answer.wrongUsage("--nvtx: " + problem);
    }
    const TimeRange whole{trace->session.start, trace->session.end + 1};
    const std::vector<WhatIfTarget> targets = whatIfTargets(*trace, whole, options.steps);
    std::vector<WhatIfResult> results;
    std::vector<std::size_t> matches(edits.value().size());
    for (const WhatIfTarget& target : targets) {
        Cure cure;
        for (std::size_t i = 0; i < edits.value().size(); ++i) {
            CureEdit edit = edits.value()[i].edit;
            if (edit.kind == CureKind::ReadyInput && edit.name.empty())
                edit.times = dataLoadingTimes(*trace, target.replay.process());
            matches[i] += target.replay.matches(edit);
            cure.edits.push_back(std::move(edit));
        }
        Expectation expected = target.replay.expect(cure, {}, true);
        results.push_back({&target, std::move(cure), std::move(expected)});
    }
    for (std::size_t i = 0; i < edits.value().size() && !targets.empty(); ++i) {
        const AskedEdit& asked = edits.value()[i];
        if (matches[i] == 0)
            return answer.wrongUsage(fmt::format("{}: {}", asked.words, asked.nothing));
    }
    if (answer.isJson())
        return answer.add(whatIfJson(*trace, results));
    return answer.addText(whatIfText(*trace, results));
}

std::function<ExitCode(Answer&)> declareWhatIf(CLI::App& app)
{
    auto options = std::make_shared<WhatIfOptions>();
    app.add_option("--without", options->without,
           "What goes: sync, allocation (it comes from a pool), copies, launches (they take no time) or "
           "kernel=GLOB")
        ->type_name("WHAT");
    app.add_option("--scale", options->scale, "kernel=GLOB:FACTOR: the part of their time that kernels keep")
        ->type_name("WHAT:FACTOR");
    app.add_option("--overlap", options->overlap, "What runs beside other work: copies or communication")
        ->check(CLI::IsMember({"copies", "communication"}));
    app.add_flag("--graph", options->graph, "The launches between two waits become one CUDA graph");
    app.add_flag("--ready-input{*}", options->readyInput,
        "The host time of NVTX ranges that load data goes; with =GLOB that of those with this name");
    app.add_option("--nvtx,--steps", options->steps,
           "The NVTX ranges that are steps: a name, with * and ?. Left out: they are found")
        ->type_name("NAME");
    addReportOptions(app, options->report);
    return [options](Answer& answer) { return runWhatIf(answer, *options); };
}

} // namespace

extern constinit const Command whatIfCommand{.name = "whatif",
    .summary = "How long the steps would take with something changed, by a replay of what depends on what",
    .formats = "table json",
    .declare = declareWhatIf};

} // namespace warpline::cli
