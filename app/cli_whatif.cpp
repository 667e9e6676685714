// warpline-cli whatif: how long the steps would take with something changed.

#include "app/cli_arguments.h"
#include "app/cli_command.h"
#include "app/cli_nvtx.h"
#include "app/cli_report.h"
#include "app/cli_usage.h"
#include "core/base/near_names.h"
#include "core/base/read_real.h"
#include "core/export/whatif_text.h"
#include "core/render/render.h"
#include "core/replay/apply_cure.h"
#include "core/replay/what_if.h"
#include "core/store/trace.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string_view>

namespace warpline::cli {

namespace {

struct WhatIfOptions {
    ReportOptions report;
    std::string steps;
    std::vector<std::string> scale;
    std::vector<std::string> kernels; ///< globs of --without kernel=
    std::vector<const CureSwitch*> switches; ///< the requested ones
    std::string readyInput; ///< glob; empty: not requested
};

/// An edit with its options on the command line.
struct AskedEdit {
    std::string words; ///< "--without sync"
    Message nothing; ///< what the replayed time lacks for the edit to have an effect
    const CureSwitch* cure = nullptr; ///< that makes the edits; nullptr: it is `edit`
    CureEdit edit = {};

    std::vector<CureEdit> editsOf(const Trace& trace, const Replay& replay) const
    {
        return cure ? cure->edits(trace, replay.graph()) : std::vector{edit};
    }
};

constexpr std::string_view kernelPrefix = "kernel=";
constexpr std::string_view readyInputOption = "--ready-input";
constexpr std::string_view anyName = "*";

AskedEdit ofKernels(std::string words, CureKind kind, std::string glob, double factor)
{
    AskedEdit asked{
        std::move(words), Message("whatif.no_kernel", "no kernel named '{name}'", {{"name", Name{glob}}})};
    asked.edit = {.kind = kind,
        .name = std::move(glob),
        .work = EventKind::Kernel,
        .factor = FactorRange::exactly(factor)};
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
        return Error{"whatif.no_scale",
            "--scale: '{text}' is not kernel=GLOB:FACTOR with a factor from 0 to 1000, as in kernel=*gemm*:0.5",
            {{"text", Name{what}}}};
    }
    return ofKernels("--scale " + what, CureKind::ScaleWork,
        what.substr(kernelPrefix.size(), colon - kernelPrefix.size()), factor);
}

/// All edits that `options` ask for, in the order in which they are applied.
Result<std::vector<AskedEdit>> editsOf(const WhatIfOptions& options)
{
    std::vector<AskedEdit> edits;
    for (const std::string& what : options.scale) {
        auto asked = scaleEdit(what);
        if (!asked.ok())
            return asked.error();
        edits.push_back(asked.take());
    }
    for (const std::string& glob : options.kernels)
        edits.push_back(ofKernels("--without kernel=" + glob, CureKind::RemoveWork, glob, 1));
    if (!options.readyInput.empty() && options.readyInput != anyName) {
        AskedEdit asked{"--ready-input=" + options.readyInput,
            Message("whatif.no_range", "no NVTX range named '{name}' that takes host time",
                {{"name", Name{options.readyInput}}})};
        asked.edit = {.kind = CureKind::ReadyInput, .name = options.readyInput};
        edits.push_back(std::move(asked));
    }
    for (const CureSwitch* const cure : allSwitches()) {
        const bool isReady = cure->option == readyInputOption && options.readyInput == anyName;
        if (!isReady && std::ranges::find(options.switches, cure) == options.switches.end())
            continue;
        std::string words(cure->option);
        if (!cure->value.empty())
            words += fmt::format(" {}", cure->value);
        edits.push_back({std::move(words), nothingOf(*cure), cure});
    }
    return edits;
}

/// " (did you mean a or b?)": kernels of the replayed time with names like that of `edit`.
Message namesNear(const Trace& trace, const std::vector<WhatIfTarget>& targets, const CureEdit& edit)
{
    if (edit.work != EventKind::Kernel || targets.empty())
        return {};
    return didYouMean(kernelsNear(trace, targets.front().replay.graph(), edit.name));
}

ExitCode runWhatIf(Answer& answer, const WhatIfOptions& options)
{
    const std::vector<AskedEdit> edits = answer.usable(editsOf(options));
    const auto trace = openReport(answer, options.report);
    requireRange(answer, *trace, options.steps, "--nvtx");
    const TimeRange whole{trace->session.start, trace->session.end + 1};
    const std::vector<WhatIfTarget> targets = whatIfTargets(*trace, whole, options.steps);
    std::vector<WhatIfResult> results;
    std::vector<std::size_t> matches(edits.size());
    for (const WhatIfTarget& target : targets) {
        Cure cure;
        for (std::size_t i = 0; i < edits.size(); ++i) {
            for (CureEdit& edit : edits[i].editsOf(*trace, target.replay)) {
                matches[i] += target.replay.matches(edit);
                cure.edits.push_back(std::move(edit));
            }
        }
        Expectation expected = target.replay.expect(cure, {}, true);
        results.push_back({&target, std::move(cure), std::move(expected)});
    }
    for (std::size_t i = 0; i < edits.size() && !targets.empty(); ++i) {
        const AskedEdit& asked = edits[i];
        if (matches[i] == 0)
            answer.refuse({"whatif.matches_nothing", "{option}: the replayed time has {nothing}{near}",
                {{"option", Name{asked.words}}, {"nothing", asked.nothing},
                    {"near", namesNear(*trace, targets, asked.edit)}}});
    }
    if (answer.isJson())
        return answer.add(whatIfJson(*trace, results));
    return answer.addText(whatIfText(*trace, results, answer.width()));
}

/// "sync, allocation, kernel=GLOB": all values of `option`.
std::string valuesOf(std::string_view option)
{
    std::string values;
    for (const CureSwitch* const cure : allSwitches()) {
        if (cure->option == option)
            values += fmt::format("{}{}", values.empty() ? "" : ", ", cure->value);
    }
    return option == "--without" ? values + ", kernel=GLOB" : values;
}

/// "sync: cudaDeviceSynchronize and similar calls go. ...": all values of `option`; for a flag its effect.
std::string optionHelp(std::string_view option)
{
    std::string help;
    for (const CureSwitch* const cure : allSwitches()) {
        if (cure->option != option)
            continue;
        help += help.empty() ? std::string_view() : language().betweenSentences;
        help += plain(cure->value.empty()
                ? helpOf(*cure)
                : Message("whatif.value_help", "{value}: {help}",
                    {{"value", Name{std::string(cure->value)}}, {"help", helpOf(*cure)}}));
    }
    if (option == "--without")
        help += std::string(language().betweenSentences)
            + plain(Message("whatif.help_kernel", "kernel=GLOB: Removes kernels with this name."));
    return help;
}

void askFor(WhatIfOptions& options, std::string_view option, const std::string& value)
{
    if (option == "--without" && value.starts_with(kernelPrefix) && value.size() > kernelPrefix.size()) {
        options.kernels.push_back(value.substr(kernelPrefix.size()));
        return;
    }
    for (const CureSwitch* const cure : allSwitches()) {
        if (cure->option == option && cure->value == value) {
            options.switches.push_back(cure);
            return;
        }
    }
    throw CLI::ValidationError(std::string(option),
        plain(Message("whatif.no_change", "'{value}' is not a change; known: {known}",
            {{"value", Name{value}}, {"known", Name{valuesOf(option)}}})));
}

/// The options of all switches, each once; a report may follow a value.
void addSwitches(CLI::App& app, const std::shared_ptr<WhatIfOptions>& options)
{
    std::set<std::string_view> added;
    for (const CureSwitch* const cure : allSwitches()) {
        const std::string_view option = cure->option;
        if (!added.insert(option).second)
            continue;
        if (option == readyInputOption) {
            app.add_flag(fmt::format("{}{{{}}}", option, anyName), options->readyInput,
                optionHelp(option) + std::string(language().betweenSentences)
                    + plain(Message("whatif.help_glob", "With =GLOB: of ranges with this name.")));
        } else if (cure->value.empty()) {
            app.add_flag_callback(
                std::string(option), [options, cure] { options->switches.push_back(cure); },
                optionHelp(option));
        } else {
            app.add_option_function<std::vector<std::string>>(
                   std::string(option),
                   [options, option](const std::vector<std::string>& values) {
                       for (const std::string& value : values)
                           askFor(*options, option, value);
                   },
                   optionHelp(option))
                ->type_name("WHAT")
                ->allow_extra_args(false);
        }
    }
}

std::function<ExitCode(Answer&)> declareWhatIf(CLI::App& app)
{
    auto options = std::make_shared<WhatIfOptions>();
    addSwitches(app, options);
    addOption(app, "--scale", options->scale,
        {"whatif.help_scale", "kernel=GLOB:FACTOR: scale the time of these kernels"}, "WHAT:FACTOR")
        ->allow_extra_args(false);
    addStepsOption(app, "--nvtx,--steps", options->steps);
    addReportOptions(app, options->report);
    return [options](Answer& answer) { return runWhatIf(answer, *options); };
}

} // namespace

extern constinit const Command whatIfCommand{.name = "whatif",
    .summary = "Estimate step time after a change, from a replay of the steps",
    .formats = "table json",
    .declare = declareWhatIf};

} // namespace warpline::cli
