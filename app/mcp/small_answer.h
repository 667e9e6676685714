#pragma once

#include "core/export/json_text.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace warpline::cli {

/// How much of a document an answer holds.
struct AnswerSize {
    std::size_t items = 10; ///< of a list; of lists inside lists half of it
    std::size_t characters = 600; ///< of a text
    std::size_t bytes = 32'768; ///< of the whole: lists get shorter until it fits
};

/// A document whose long lists and texts are cut.
struct SmallAnswer {
    Json document;
    /// An entry for each cut: "at" (the JSON pointer), "shown" and "of". The first fifty.
    Json more;
};

/// `document` as an answer of that size. What it leaves out is at the pointers of SmallAnswer::more in
/// `document`, below `at`.
SmallAnswer smallAnswer(const Json& document, const AnswerSize& size, const std::string& at = {});

/// Takes the members out of `document` that a pattern names: a JSON pointer whose part "*" is any entry of a
/// list.
void leaveOut(Json& document, std::string_view pattern);
/// Makes `schema`, of a document, that of one without what `pattern` names. References within it are
/// followed.
void leaveOutOfSchema(Json& schema, std::string_view pattern);

} // namespace warpline::cli
