#include "app/cli_filter.h"

#include "app/cli_arguments.h"
#include "app/cli_columns.h"
#include "app/cli_usage.h"
#include "core/base/message_names.h"
#include "core/base/utf8.h"
#include "core/render/render.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace warpline::cli {

void addWhereOption(CLI::App& app, std::string& where)
{
    addOption(app, "--where", where,
        {"cli.help_where",
            "Only events that match this filter: name~/gemm|flash/ dur>50us stream=7 path=step/*/attention ..."},
        "FILTER");
}

void refuseWhereOption(CLI::App& app, const Message& because)
{
    app.add_option_function<std::string>(
           "--where",
           [because](const std::string&) {
               throw CLI::ValidationError("--where",
                   plain(because
                       + Message("cli.where_elsewhere",
                           "'warpline-cli name --where' summarizes what matches a filter, 'events --where' lists it, and 'events --nest nvtx --where' groups it by NVTX range")));
           },
           "")
        ->group(""); // hidden from --help
}

std::string shownMistake(std::string_view text, const TextMistake& mistake)
{
    constexpr std::size_t before = 60; // bytes shown to the left of the place
    constexpr std::size_t most = 100;
    const std::size_t place = std::min(mistake.place, text.size());
    const std::size_t from = place > before ? place - before : 0;
    const std::string left = onOneLine(toUtf8(text.substr(from, place - from)));
    const std::size_t wrong = std::min({mistake.length, text.size() - place, most - before});
    return (from > 0 ? "\u2026" : "") + left + onOneLine(toUtf8(text.substr(place, most - before))) + "\n"
        + std::string(characters(left) + (from > 0 ? 1 : 0), ' ')
        + std::string(std::max<std::size_t>(1, characters(toUtf8(text.substr(place, wrong)))), '^');
}

FilterExpression filterOf(Answer& answer, const std::string& where)
{
    FilterExpression filter(where);
    if (!filter.mistake())
        return filter;
    throw Ended{answer.complain({.code = ExitCode::WrongUsage,
        .message
        = linesOf(ofOption("--where", filter.mistake()->message), shownMistake(where, *filter.mistake())),
        .hint = {"cli.filter_hint", "docs/manual/filters.md lists fields and operators."},
        .hasLines = true})};
}

void complainOfGivingUp(Answer& answer)
{
    answer.note(Message("cli.filter_gave_up",
        "--where: a regular expression took too long and was stopped. Some matches are missing"));
}

std::shared_ptr<const EventPredicate> predicateOf(
    Answer& answer, const Trace& trace, const FilterExpression& filter)
{
    auto predicate = std::make_shared<const EventPredicate>(trace, filter);
    if (predicate->isExhausted())
        complainOfGivingUp(answer);
    return predicate;
}

} // namespace warpline::cli
