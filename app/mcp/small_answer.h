#pragma once

#include "core/export/json_text.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace warpline::cli {

/// How much of a document an answer holds.
struct AnswerSize {
    std::size_t items = 10; ///< per list; half of it for nested lists
    std::size_t characters = 600; ///< of a text
    std::size_t bytes = 32'768; ///< of the whole: lists get shorter until it fits
};

/// A document with shortened lists and texts.
struct SmallAnswer {
    Json document;
    /// An entry for each cut: "at" (the JSON pointer), "shown" and "of". The first fifty.
    Json more;
};

/// Shortens `document` to that size. SmallAnswer::more has pointers to the omitted parts in `document`, below
/// `at`.
SmallAnswer smallAnswer(const Json& document, const AnswerSize& size, const std::string& at = {});

/// Removes the members of `document` that match a pattern: a JSON pointer in which "*" matches any entry of a
/// list.
void leaveOut(Json& document, std::string_view pattern);
/// Removes members that match `pattern` from the schema `schema` of a document. Follows internal references.
void leaveOutOfSchema(Json& schema, std::string_view pattern);

} // namespace warpline::cli
