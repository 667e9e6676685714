// warpline-cli operators: FLOPs and bytes of operators, their rates, and the GPU's limits.

#include "app/cli_arguments.h"
#include "app/cli_cells.h"
#include "app/cli_command.h"
#include "app/cli_nvtx.h"
#include "app/cli_report.h"
#include "app/cli_usage.h"
#include "core/export/cells_text.h"
#include "core/export/operators_text.h"
#include "core/render/render.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

namespace warpline::cli {

namespace {

struct OperatorsOptions {
    ReportOptions report;
    std::string by = "shape";
    std::string range;
    std::string nvtx;
    std::string models;
};

/// Letters of a cell in a terminal: lists of shapes can be as long as a page.
constexpr std::size_t maxLetters = 72;

OperatorGrouping groupingOf(const std::string& key)
{
    for (const OperatorGrouping each :
        {OperatorGrouping::Operator, OperatorGrouping::Module, OperatorGrouping::Class}) {
        if (keyOf(each) == key)
            return each;
    }
    return OperatorGrouping::Shape;
}

/// Operators' work by the models of --models, else by the user's own file. Complains about errors in it.
std::shared_ptr<const OperatorWorks> worksOf(
    Answer& answer, const Trace& trace, const std::optional<OwnWorkModels>& models)
{
    if (models)
        return std::make_shared<const OperatorWorks>(findOperatorWorks(trace, *models));
    const std::string path = ownWorkModelsPath();
    std::error_code none;
    if (!path.empty() && std::filesystem::exists(path, none)) {
        if (const auto own = OwnWorkModels::withFile(path); !own.ok())
            answer.note(Message("cli.own_models_used", "{problem} Warpline's own models are used.",
                {{"problem", own.error().message}}));
    }
    return operatorWorksOf(trace);
}

ExitCode runOperators(Answer& answer, const OperatorsOptions& options)
{
    const RangeArgument range = rangeOption(answer, options.range);
    std::optional<OwnWorkModels> models;
    if (!options.models.empty())
        models = answer.usable(OwnWorkModels::withFile(options.models));
    const auto trace = openReport(answer, options.report);
    OperatorQuery query;
    query.by = groupingOf(options.by);
    query.nvtxName = options.nvtx;
    query.window = windowIn(answer, *trace, range);
    requireRange(answer, *trace, options.nvtx, "--nvtx");
    const std::vector<OperatorRow> rows = operatorRows(*trace, *worksOf(answer, *trace, models), query);
    if (answer.isJson())
        return answer.add(operatorsJson(*trace, rows, query));
    const Cells cells = operatorCells(rows, query.by);
    return addLines(answer, cells, [&] {
        std::string text = toTable(forReaders(cells), maxLetters, answer.width());
        const std::vector<Message> notes = operatorNotes(*trace, rows, query);
        for (std::size_t i = 0; i < notes.size(); ++i)
            text += (i == 0 ? "\n" : "") + plain(notes[i]) + "\n";
        return text;
    });
}

std::function<ExitCode(Answer&)> declareOperators(CLI::App& app)
{
    auto options = std::make_shared<OperatorsOptions>();
    addOption(app, "--by", options->by,
        {"operators.help_by", "One row per shape (operator, shapes and types), operator, module or class"})
        ->check(oneOf({"shape", "operator", "module", "class"}))
        ->capture_default_str();
    addOption(app, "--range", options->range,
        {"operators.help_range",
            "Only calls with GPU work in this range: FROM:TO in ns, or numbers with ns, us, ms or s"},
        "FROM:TO");
    addOption(app, "--nvtx,--steps", options->nvtx,
        {"operators.help_nvtx", "Only calls in the NVTX ranges with this name, with * and ?"}, "NAME");
    addOption(app, "--models", options->models,
        {"operators.help_models",
            "File with models of more operators, which override Warpline's own; default: operator-models.txt in Warpline's configuration folder"},
        "FILE");
    addReportOptions(app, options->report);
    return [options](Answer& answer) { return runOperators(answer, *options); };
}

} // namespace

extern constinit const Command operatorsCommand{.name = "operators",
    .summary = "Show FLOPs, bytes and roofline share of PyTorch operators",
    .formats = "table csv json markdown",
    .declare = declareOperators};

} // namespace warpline::cli
