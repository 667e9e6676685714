#include "core/export/overview_text.h"

#include "core/base/format.h"
#include "core/base/message_names.h"
#include "core/base/rounded.h"
#include "core/base/share.h"
#include "core/export/html_text.h"
#include "core/export/wrapped_text.h"
#include "core/findings/evidence.h"
#include "core/render/render.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr std::size_t longestBar = 50;
constexpr double minLineShare = 0.01; ///< of the run: shorter host phases are not listed

/// The title of the overview, and the heads of its table.
struct OverviewHeads {
    std::string title = plain({"overview.title", "Overview"});
    std::string part = plain({"overview.head_part", "Part of the run"});
    std::string time = plain({"overview.head_time", "Time"});
    std::string share = plain({"overview.head_share", "Share"});
};

double shareOfPart(const RunOverview& overview, const OverviewPart& part)
{
    return shareOf(part.time, overview.window.duration());
}

/// "compute_kernel on GPU 0: 97.0% of kernel time (460 us, 100 launches); longest launch: ...".
std::string sentenceOf(const OverviewKernel& kernel)
{
    return plain(Message("overview.top_kernel",
        "{name}{scoped, select, yes { on {gpu}} other {}}: {share} of kernel time ({time}, {launches, plural, one {# launch} other {# launches}}); {several, select, yes {longest launch: } other {}}{shape}.",
        {{"name", Name{kernel.name}}, {"scoped", yesOrNo(!kernel.gpu.empty())}, {"gpu", Name{kernel.gpu}},
            {"share", Share{kernel.share}}, {"time", Duration{kernel.time}},
            {"launches", Count{kernel.launches}}, {"several", yesOrNo(kernel.launches > 1)},
            {"shape", kernel.shape}}));
}

Message labelled(const KernelFact& fact)
{
    return {"overview.kernel_fact", "{label}: {text}", {{"label", fact.label}, {"text", fact.text}}};
}

/// The lines below a kernel: its warnings, and for the first kernel a hint to Nsight Compute.
std::string factsText(const OverviewKernel& kernel, bool isFirst, std::size_t width)
{
    std::string text;
    for (const KernelFact& fact : kernel.facts) {
        const bool isCommand = &fact == &kernel.facts.back();
        if (fact.warns || fact.leads || (isCommand && isFirst))
            text += "    " + wrappedText(plain(labelled(fact)), width - 2, 6) + "\n";
    }
    return text;
}

std::string kernelsText(const RunOverview& overview, std::size_t width)
{
    if (overview.kernels.empty())
        return {};
    std::string text = plain(Message("overview.top_kernels", "Top kernels:")) + "\n";
    for (const OverviewKernel& kernel : overview.kernels)
        text += "  " + wrappedText(sentenceOf(kernel), width, 4) + "\n"
            + factsText(kernel, &kernel == &overview.kernels.front(), width);
    return text + "\n";
}

std::string gpusText(const RunOverview& overview)
{
    if (overview.gpus.empty())
        return {};
    std::size_t name = 3;
    for (const OverviewGpu& gpu : overview.gpus)
        name = std::max(name, columnsOf(plain(gpu.name)));
    constexpr std::size_t apart = 3;
    const std::vector<OverviewGpuColumn> columns = columnsOf(overview.gpus);
    const auto width = [](const OverviewGpuColumn& column) {
        return std::max<std::size_t>(9, columnsOf(plain(column.title))) + apart; // "1.234 ms" fits
    };
    std::string text = fmt::format("{:<{}}", "GPU", name);
    for (const OverviewGpuColumn& column : columns)
        text += fmt::format("{:>{}}", plain(column.title), width(column));
    text += '\n';
    for (const OverviewGpu& gpu : overview.gpus) {
        text += fmt::format("{:<{}}", plain(gpu.name), name);
        for (const OverviewGpuColumn& column : columns)
            text += fmt::format("{:>{}}", formatDuration(gpu.*column.time), width(column));
        text += '\n';
    }
    return text + "\n";
}

/// The host's phases in a part, below its line.
std::string phasesText(const RunOverview& overview, const OverviewPart& part)
{
    std::string text;
    for (const OverviewPhase& phase : part.phases) {
        if (const double share = shareOf(phase.time, overview.window.duration()); share >= minLineShare)
            text += fmt::format("{:<46}{:>10}{:>8}  {}\n", "", formatDuration(phase.time), formatShare(share),
                plain(phaseText(part, phase)));
    }
    return text;
}

} // namespace

std::string overviewTable(const RunOverview& overview, std::size_t width)
{
    constexpr std::size_t beforeBar = 46 + 10 + 8 + 2;
    const std::size_t barWidth = width > beforeBar ? std::min(longestBar, width - beforeBar) : 1;
    std::string text;
    for (const OverviewSentence& sentence : overview.sentences)
        text += wrappedText(plain(sentence.text), width, 2) + "\n";
    text += overview.parts.empty() ? "" : "\n";
    for (const OverviewPart& part : overview.parts) {
        const double share = shareOfPart(overview, part);
        const auto length = static_cast<std::size_t>(std::lround(share * static_cast<double>(barWidth)));
        text += fmt::format("{:<46}{:>10}{:>8}  {}\n", plain(titleOf(part)), formatDuration(part.time),
            formatShare(share), length > 0 ? std::string(length, '#') : std::string("|"));
        text += phasesText(overview, part);
    }
    text += "\n" + gpusText(overview) + kernelsText(overview, width);
    return text + wrappedText(plain(overview.machine), width, 2) + "\n\n";
}

namespace {

std::string phaseRows(const RunOverview& overview, const OverviewPart& part)
{
    std::string rows;
    for (const OverviewPhase& phase : part.phases)
        rows += fmt::format("| &nbsp;&nbsp;{} | {} | {} |\n", markdownCell(plain(phaseText(part, phase))),
            formatDuration(phase.time), formatShare(shareOf(phase.time, overview.window.duration())));
    return rows;
}

std::string gpuRows(const RunOverview& overview)
{
    if (overview.gpus.empty())
        return {};
    const std::vector<OverviewGpuColumn> columns = columnsOf(overview.gpus);
    std::string rows = "\n| GPU |";
    for (const OverviewGpuColumn& column : columns)
        rows += fmt::format(" {} |", plain(column.title));
    rows += "\n|---|";
    for (std::size_t i = 0; i < columns.size(); ++i)
        rows += "---:|";
    rows += '\n';
    for (const OverviewGpu& gpu : overview.gpus) {
        rows += fmt::format("| {} |", markdownCell(plain(gpu.name)));
        for (const OverviewGpuColumn& column : columns)
            rows += fmt::format(" {} |", formatDuration(gpu.*column.time));
        rows += '\n';
    }
    return rows;
}

} // namespace

std::string overviewMarkdown(const RunOverview& overview)
{
    const OverviewHeads heads;
    std::string text = fmt::format("\n## {}\n\n", heads.title);
    for (const OverviewSentence& sentence : overview.sentences)
        text += markdownProse(plain(sentence.text)) + "\n";
    text += fmt::format("\n| {} | {} | {} |\n|---|---:|---:|\n", heads.part, heads.time, heads.share);
    for (const OverviewPart& part : overview.parts)
        text += fmt::format("| {} | {} | {} |\n{}", plain(titleOf(part)), formatDuration(part.time),
            formatShare(shareOfPart(overview, part)), phaseRows(overview, part));
    text += gpuRows(overview);
    text += overview.kernels.empty() ? "" : "\n";
    for (const OverviewKernel& kernel : overview.kernels) {
        text += fmt::format("- {}\n", markdownProse(sentenceOf(kernel)));
        for (const KernelFact& fact : kernel.facts)
            text += fmt::format("  - {}\n", markdownProse(plain(labelled(fact))));
    }
    return text + "\n" + markdownProse(plain(overview.machine)) + "\n";
}

namespace {

std::string partHtml(const RunOverview& overview, const OverviewPart& part)
{
    const auto row = [&](const std::string& title, Ns time) {
        return fmt::format("<tr><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td></tr>\n",
            title, formatDuration(time), htmlText(formatShare(shareOf(time, overview.window.duration()))));
    };
    std::string html = row(plain(titleOf(part)), part.time);
    for (const OverviewPhase& phase : part.phases)
        html += row("&#160;&#160;&#160;" + render(phaseText(part, phase), Markup::Html), phase.time);
    return html;
}

std::string gpusHtml(const RunOverview& overview)
{
    if (overview.gpus.empty())
        return {};
    const std::vector<OverviewGpuColumn> columns = columnsOf(overview.gpus);
    std::string html = "<table><tr><th>GPU</th>";
    for (const OverviewGpuColumn& column : columns)
        html += fmt::format("<th>{}</th>", plain(column.title));
    html += "</tr>\n";
    for (const OverviewGpu& gpu : overview.gpus) {
        html += fmt::format("<tr><td>{}</td>", render(gpu.name, Markup::Html));
        for (const OverviewGpuColumn& column : columns)
            html += fmt::format("<td class=\"number\">{}</td>", formatDuration(gpu.*column.time));
        html += "</tr>\n";
    }
    return html + "</table>\n";
}

} // namespace

std::string overviewHtml(const RunOverview& overview)
{
    const OverviewHeads heads;
    std::string html = fmt::format("<h2>{}</h2>\n", heads.title);
    for (const OverviewSentence& sentence : overview.sentences)
        html += fmt::format("<p>{}</p>\n", render(sentence.text, Markup::Html));
    html += fmt::format(
        "<table><tr><th>{}</th><th>{}</th><th>{}</th></tr>\n", heads.part, heads.time, heads.share);
    for (const OverviewPart& part : overview.parts)
        html += partHtml(overview, part);
    html += "</table>\n";
    html += gpusHtml(overview);
    for (const OverviewKernel& kernel : overview.kernels) {
        html += fmt::format("<p>{}</p>\n<ul>\n", htmlText(sentenceOf(kernel)));
        for (const KernelFact& fact : kernel.facts)
            html += fmt::format("<li><b>{}</b>: {}</li>\n", render(fact.label, Markup::Html),
                render(fact.text, Markup::Html));
        html += "</ul>\n";
    }
    return html + fmt::format("<p class=\"facts\">{}</p>\n", render(overview.machine, Markup::Html));
}

namespace {

Json partJson(const RunOverview& overview, const OverviewPart& part)
{
    Json json{{"id", keyOf(part.kind)}, {"title", plain(titleOf(part))}, {"time_ns", part.time},
        {"percent", 100 * shareOfPart(overview, part)}, {"stretches", part.stretches},
        {"range_ns", jsonRange(part.where)}, {"phases", Json::array()},
        {"phases_mean_of", part.meanOf.empty() ? Json() : Json(plain(part.meanOf))}};
    for (const OverviewPhase& phase : part.phases)
        json["phases"].push_back({{"name", jsonText(plain(phase.name))}, {"time_ns", phase.time},
            {"range_ns", phase.where.empty() ? Json() : jsonRange(phase.where)}});
    return json;
}

} // namespace

Json overviewJson(const RunOverview& overview)
{
    Json json;
    json["range_ns"] = jsonRange(overview.window);
    json["sentences"] = Json::array();
    for (const OverviewSentence& sentence : overview.sentences)
        json["sentences"].push_back(jsonText(plain(sentence.text)));
    json["parts"] = Json::array();
    for (const OverviewPart& part : overview.parts)
        json["parts"].push_back(partJson(overview, part));
    json["steps"] = Json();
    if (const auto& steps = overview.steps)
        json["steps"] = {{"pattern", jsonText(steps->pattern)}, {"count", steps->count},
            {"steady", steps->steady}, {"whole", steps->whole}, {"median_ns", steps->median},
            {"bound", jsonText(plain(steps->bound))}, {"bound_percent", 100 * steps->boundShare}};
    json["kernels"] = Json::array();
    for (const OverviewKernel& kernel : overview.kernels) {
        Json one{{"name", jsonText(kernel.name)}, {"total_ns", kernel.time}, {"percent", 100 * kernel.share},
            {"launches", kernel.launches}, {"launch", jsonText(plain(kernel.shape))},
            {"facts", Json::array()}};
        for (const KernelFact& fact : kernel.facts)
            one["facts"].push_back(
                {{"label", plain(fact.label)}, {"text", jsonText(plain(fact.text))}, {"warns", fact.warns}});
        json["kernels"].push_back(std::move(one));
    }
    json["gpus"] = Json::array();
    for (const OverviewGpu& gpu : overview.gpus)
        json["gpus"].push_back({{"name", jsonText(plain(gpu.name))}, {"computing_ns", gpu.computing},
            {"waiting_ns", gpu.waiting}, {"communicating_ns", gpu.communicating}, {"copying_ns", gpu.copying},
            {"idle_ns", gpu.idle}});
    json["machine"] = jsonText(plain(overview.machine));
    return json;
}

} // namespace warpline
