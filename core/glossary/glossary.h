#pragma once

#include "core/base/message.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpline {

/// A term that findings, tables and rows use, with its meaning in a sentence or two.
struct GlossaryEntry {
    std::string_view term; ///< "multiprocessor"
    std::string_view forms; ///< other spellings with '|' between: "SM|SMs|multiprocessors"; may be empty
    std::string_view text; ///< for somebody who has read one chapter on CUDA

    Message meaning() const { return {"glossary", term, text}; }
    Message name() const { return {"glossary_term", term, term}; } ///< as the language calls it
};

/// All terms in alphabetical order.
std::span<const GlossaryEntry> glossary();

/// The entry that `term` names, by its own name or another spelling, whatever the case of its letters;
/// nullptr: there is none.
const GlossaryEntry* findTerm(std::string_view term);

/// A place where a text uses a term.
struct TermUse {
    std::size_t begin = 0; ///< bytes
    std::size_t length = 0;
    const GlossaryEntry* entry = nullptr;
};

/// Names of terms in a non-Latin language, the longest first.
using TermNames = std::vector<std::pair<std::string, const GlossaryEntry*>>;

/// Every use of a term in `text`, in order: whole words, the longest term at each place; and `names` at any
/// place. O(length).
std::vector<TermUse> termsIn(std::string_view text, const TermNames& names = {});

} // namespace warpline
