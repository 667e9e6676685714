#pragma once

#include "core/findings/rule.h"
#include "core/overview/overview.h"
#include "core/render/render.h"
#include "core/store/trace.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpline::test {

/// All of the session, its last moment included.
inline TimeRange wholeOf(const Trace& trace)
{
    return {trace.session.start, trace.session.end + 1};
}

/// The findings of `rule` in all of `trace`.
inline std::vector<Finding> run(const Trace& trace, std::string_view rule)
{
    const Rule* const found = findRule(rule);
    return runRules(trace, wholeOf(trace), std::span(&found, 1));
}

inline bool holds(const Message& text, std::string_view part)
{
    return plain(text).find(part) != std::string::npos;
}

/// The sentence `key` of `text`; nullptr: it is not there.
inline const Message* sentenceOf(const Message& text, std::string_view key)
{
    if (text.key() == key)
        return &text;
    for (const Message& next : text.next()) {
        if (next.key() == key)
            return &next;
    }
    return nullptr;
}

/// The value `name` of the sentence `key` of `text`: a time in ns, bytes, a count; -1: there is none.
inline std::int64_t valueIn(const Message& text, std::string_view key, std::string_view name)
{
    const Message* const sentence = sentenceOf(text, key);
    for (const Argument& argument : sentence ? sentence->values() : std::vector<Argument>()) {
        if (argument.name == name)
            return argument.value.whole;
    }
    return -1;
}

/// All sentences of the overview, one a line.
inline std::string textOf(const RunOverview& overview)
{
    std::string text;
    for (const OverviewSentence& sentence : overview.sentences)
        text += plain(sentence.text) + "\n";
    return text;
}

} // namespace warpline::test
