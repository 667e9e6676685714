#pragma once

#include "app/cli_answer.h"
#include "core/filter/event_predicate.h"
#include "core/filter/filter_expression.h"

#include <memory>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace warpline::cli {

/// Adds --where EXPR to `app`.
void addWhereOption(CLI::App& app, std::string& where);

/// The filter that `where` is; ends the command where it is none, and shows the place of the mistake.
FilterExpression filterOf(Answer& answer, const std::string& where);

/// `filter` for the events of `trace`; complains when a regular expression took too long.
std::shared_ptr<const EventPredicate> predicateOf(
    Answer& answer, const Trace& trace, const FilterExpression& filter);

/// The same complaint for a predicate made elsewhere that isExhausted().
void complainOfGivingUp(Answer& answer);

/// `text` with a line below it that points at `mistake`. A long text is
/// shown from a little before the place on.
std::string shownMistake(std::string_view text, const TextMistake& mistake);

/// An option --where for a command that does not support filters: complains, names the commands that do, and
/// ends with wrong usage.
void refuseWhereOption(CLI::App& app, const Message& because);

} // namespace warpline::cli
