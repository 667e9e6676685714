#include "core/export/operators_text.h"

#include "core/base/json_fields.h"
#include "core/base/saturate.h"
#include "core/base/utf8.h"
#include "core/findings/roofline_metrics.h"
#include "core/operators/operator_text.h"
#include "core/render/render.h"
#include "core/store/gpu_names.h"
#include "core/store/trace.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace warpline {

namespace {

template <typename Number> Cell optionalCell(const std::optional<Number>& number)
{
    return number ? Cell(*number) : Cell();
}

template <typename Number> Json optionalJson(const std::optional<Number>& number)
{
    return number ? Json(*number) : Json(nullptr);
}

/// Lists as they were recorded; null where they were not.
Json operatorShapesJson(const std::string& shapes)
{
    return shapes.empty() ? Json(nullptr) : parseJson(shapes);
}

Json operatorTypesJson(const std::vector<std::string>& types)
{
    if (types.empty())
        return nullptr;
    Json json = Json::array();
    for (const std::string& type : types)
        json.push_back(toUtf8(type));
    return json;
}

std::string operatorTypesText(const std::vector<std::string>& types)
{
    std::string text;
    for (const std::string& type : types)
        text += (text.empty() ? "" : ", ") + (type.empty() ? "-" : type);
    return text;
}

Json operatorRowJson(const OperatorRow& row, OperatorGrouping by)
{
    Json json;
    json["operator"] = jsonTextOrNull(row.operatorName);
    json["module"] = by == OperatorGrouping::Module ? jsonTextOrNull(row.module) : Json();
    json["shapes"] = operatorShapesJson(row.shapes);
    json["types"] = operatorTypesJson(row.types);
    json["class"] = jsonTextOrNull(row.kernelClass);
    json["in_operator"] = !row.isKernel;
    json["calls"] = row.calls;
    json["kernels"] = row.kernels;
    json["gpu_ns"] = row.gpu;
    json["flops"] = optionalJson(row.flops);
    json["flops_skipped"] = row.flops ? Json(row.skipped) : Json(nullptr);
    json["bytes"] = optionalJson(row.bytes);
    json["result_elements_max"] = optionalJson(row.mostElements);
    json["arithmetic"] = row.arithmetic == MathType::Unknown ? Json(nullptr) : Json(labelOf(row.arithmetic));
    json["tflops_per_s"] = optionalJson(row.teraflops());
    json["tb_per_s"] = optionalJson(row.terabytes());
    json["roofline_ns"] = row.rooflineNs > 0 ? jsonNs(row.rooflineNs) : Json(nullptr);
    json["roofline_percent"] = optionalJson(row.rooflinePercent());
    json["bound"] = row.bound == RooflineBound::Unknown ? Json(nullptr) : Json(keyOf(row.bound));
    json["collective_bytes"] = optionalJson(row.collectiveBytes);
    json["algorithm_gb_per_s"] = optionalJson(row.algorithmBandwidth());
    json["bus_gb_per_s"] = optionalJson(row.busBandwidth());
    json["assumed"] = row.isAssumed;
    json["types_from_kernels"] = row.typesFromKernels;
    return json;
}

/// Adds the sampled GPU metrics to compare with the models, one note per GPU.
void addMetrics(const Trace& trace, const OperatorQuery& query, std::vector<Message>& notes)
{
    if (trace.counters.empty())
        return;
    const auto rooflines = operatorRooflinesOf(trace, query.stop);
    const TimeRange window = query.window.empty() ? trace.session : query.window;
    for (const OperatorGpu& gpu : rooflines->gpus()) {
        Message text = metricsText(rooflineMetrics(trace, *rooflines, gpu, window, query.stop));
        if (!text.empty())
            notes.push_back({"operators.metrics", "{gpu}: {metrics}",
                {{"gpu", Name{gpuName(trace, gpu.process, gpu.device)}}, {"metrics", std::move(text)}}});
    }
}

/// Products as torch.utils.flop_counter counts them.
bool isCountedByPyTorch(const OperatorRow& row)
{
    return row.kernelClass == "gemm" || row.kernelClass == "convolution" || row.kernelClass == "attention"
        || row.kernelClass == "moe";
}

} // namespace

Cells operatorCells(const std::vector<OperatorRow>& rows, OperatorGrouping by)
{
    Cells cells;
    cells.columns = {{"GPU Time (ns)", Unit::Nanoseconds}, {"Calls", Unit::Count}, {"FLOPs", Unit::Count},
        {"Bytes", Unit::Bytes}, {"TFLOP/s", Unit::Rate}, {"TB/s", Unit::Rate},
        {"Roofline (ns)", Unit::NanosecondsReal}, {"Roofline (%)", Unit::Percent}, {"Bound", Unit::Text},
        {"Class", Unit::Text}};
    if (by == OperatorGrouping::Module)
        cells.columns.push_back({"Module", Unit::Text});
    if (by == OperatorGrouping::Shape || by == OperatorGrouping::Operator)
        cells.columns.push_back({"Operator", Unit::Text});
    if (by == OperatorGrouping::Shape) {
        cells.columns.push_back({"Shapes", Unit::Text});
        cells.columns.push_back({"Types", Unit::Text});
    }
    const bool hasBounds
        = std::ranges::any_of(rows, [](const OperatorRow& row) { return row.mostElements.has_value(); });
    const bool hasCollectives
        = std::ranges::any_of(rows, [](const OperatorRow& row) { return row.collectiveBytes.has_value(); });
    if (hasCollectives) {
        cells.columns.push_back({"Collective Bytes", Unit::Bytes});
        cells.columns.push_back({"Algorithm GB/s", Unit::Real});
        cells.columns.push_back({"Bus GB/s", Unit::Real});
    }
    if (hasBounds)
        cells.columns.push_back({"Result Elements Max", Unit::Count});
    for (const OperatorRow& row : rows) {
        std::vector<Cell> line{row.gpu, row.calls, optionalCell(row.flops), optionalCell(row.bytes),
            optionalCell(row.teraflops()), optionalCell(row.terabytes()),
            row.rooflineNs > 0 ? Cell(row.rooflineNs) : Cell(), optionalCell(row.rooflinePercent()),
            row.bound == RooflineBound::Unknown ? Cell() : Cell(std::string(keyOf(row.bound))),
            row.kernelClass};
        if (by == OperatorGrouping::Module)
            line.emplace_back(row.module);
        if (by == OperatorGrouping::Shape || by == OperatorGrouping::Operator)
            line.emplace_back(row.operatorName);
        if (by == OperatorGrouping::Shape) {
            line.emplace_back(row.shapes);
            line.emplace_back(operatorTypesText(row.types));
        }
        if (hasCollectives) {
            line.push_back(optionalCell(row.collectiveBytes));
            line.push_back(optionalCell(row.algorithmBandwidth()));
            line.push_back(optionalCell(row.busBandwidth()));
        }
        if (hasBounds)
            line.push_back(optionalCell(row.mostElements));
        cells.addRow(std::move(line));
    }
    return cells;
}

std::vector<Message> operatorNotes(
    const Trace& trace, const std::vector<OperatorRow>& rows, const OperatorQuery& query)
{
    const auto has = [&](auto is) { return std::ranges::any_of(rows, is); };
    const bool anyShape = has([](const OperatorRow& row) { return !row.shapes.empty(); });
    const bool anyWork = has([](const OperatorRow& row) { return row.flops || row.bytes; });
    const bool anyRoof = has([](const OperatorRow& row) { return row.rooflineNs > 0; });
    std::vector<Message> notes;
    if (rows.empty())
        return {Message("operators.no_work", "No GPU work in this range.")};
    if (!anyShape && !anyWork)
        notes.push_back(
            Message("operators.no_shapes", "Shapes of operators are not recorded.") + shapesAdvice(trace));
    if (has([](const OperatorRow& row) { return row.mostElements.has_value(); }))
        notes.push_back({"operators.no_flops",
            "Some matrix products have no FLOPs, because their sizes are not recorded. Tiles and grids bound the size of the result: see the column Result Elements Max."});
    if (!trace.table(EventKind::GraphTrace).empty())
        notes.push_back({"operators.graphs_as_a_whole",
            "Graphs were recorded as a whole: the GPU time of their kernels is missing here. Record with --cuda-graph-trace=node."});
    if (anyWork && !anyRoof)
        notes.push_back({"operators.no_roofline", "No roofline: the limits of this GPU are unknown."});
    if (has([](const OperatorRow& row) { return row.isAssumed; }))
        notes.push_back({"operators.assumed",
            "Some values are not recorded and assumed to be the usual ones: padding, dimensions of reductions, lengths of packed sequences, no causal mask."});
    addMetrics(trace, query, notes);
    return notes;
}

Json operatorsJson(const Trace& trace, const std::vector<OperatorRow>& rows, const OperatorQuery& query)
{
    Json json;
    json["file"] = jsonText(trace.info.path);
    json["by"] = keyOf(query.by);
    json["range_ns"] = query.window.empty() ? jsonRange(trace.session) : jsonRange(query.window);
    Ns gpu = 0;
    std::int64_t counted = 0;
    Json operators = Json::array();
    for (const OperatorRow& row : rows) {
        gpu += row.gpu;
        counted = saturatingAdd(counted, row.flops && isCountedByPyTorch(row) ? *row.flops : 0);
        operators.push_back(operatorRowJson(row, query.by));
    }
    json["gpu_ns"] = gpu;
    json["product_flops"] = query.by == OperatorGrouping::Module ? Json(nullptr) : Json(counted);
    json["notes"] = jsonOf(operatorNotes(trace, rows, query));
    json["operators"] = std::move(operators);
    return json;
}

} // namespace warpline
