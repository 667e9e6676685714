#pragma once

#include "core/base/message.h"
#include "core/sql/sql_session.h"

#include <span>
#include <string>
#include <string_view>

namespace warpline {

/// A question that is ready to be asked, and to be changed into the user's own.
struct ReadyQuestion {
    std::string_view id; ///< for the command line: "top-kernels"
    std::string_view title; ///< a description of its result
    std::string_view sql; ///< over readyViews()
    std::string_view needs; ///< the views or tables without which there is no answer, with blanks between

    Message titleText() const { return {id, "question_title", title}; }
};

/// All of them, in the order they are listed.
std::span<const ReadyQuestion> readyQuestions();
/// nullptr when there is no such question.
const ReadyQuestion* findReadyQuestion(std::string_view id);

/// The first table that `question` needs but `tables` lack, or that was not recorded; empty: it can run.
std::string missingFor(const ReadyQuestion& question, std::span<const SqlTable> tables);

} // namespace warpline
