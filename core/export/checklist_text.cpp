#include "core/export/checklist_text.h"

#include "core/export/html_text.h"
#include "core/export/wrapped_text.h"
#include "core/render/render.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace warpline {

namespace {

/// The title of the checklist, and the heads of its columns.
struct ChecklistHeads {
    std::string title = plain({"checklist.title", "Checklist"});
    std::string question = plain({"checklist.head_question", "Question"});
    std::string answer = plain({"checklist.head_answer", "Answer"});
    std::string value = plain({"checklist.head_value", "Value"});
    std::string reason = plain({"checklist.head_reason", "Reason"});
};

} // namespace

Json checklistJson(std::span<const ChecklistAnswer> checklist)
{
    Json list = Json::array();
    for (const ChecklistAnswer& answer : checklist) {
        Json json;
        json["id"] = answer.id;
        json["question"] = plain(answer.question);
        json["answer"] = keyOf(answer.answer);
        json["figure"] = plain(answer.figure);
        json["value"] = isJudged(answer.answer) ? Json(answer.percent) : Json();
        json["unit"] = "%";
        json["explanation"] = jsonText(plain(answer.explanation));
        json["rules"] = answer.rules;
        json["range_ns"] = jsonRange(answer.over);
        json["budget"] = answer.parts.empty() ? Json() : Json::object();
        for (const ChecklistPart& part : answer.parts)
            json["budget"][std::string(part.key)] = part.time;
        list.push_back(std::move(json));
    }
    return list;
}

std::string checklistTable(std::span<const ChecklistAnswer> checklist, std::size_t width)
{
    if (checklist.empty())
        return {};
    // Shows "nothing to analyze" once instead of for each question.
    if (const Message reason = nothingToJudge(checklist); !reason.empty())
        return wrappedText(plain(Message("checklist.about_gpu", "The checklist is about GPU work: {reason}",
                               {{"reason", reason}})),
                   std::min<std::size_t>(118, width - 2), 2)
            + "\n\n";
    const ChecklistHeads heads;
    constexpr std::size_t reason = 16 + 53 + 18; // where the last column begins
    constexpr std::size_t room = 73;
    if (width < reason + room) { // a narrow terminal: the reason goes on the next line
        constexpr std::size_t indent = 16;
        std::string text = fmt::format("{:<16}{}\n", heads.answer, heads.title);
        for (const ChecklistAnswer& answer : checklist)
            text += fmt::format("{:<16}{}\n{:<16}{}\n", plain(wordOf(answer.answer)), plain(answer.question),
                "",
                wrappedText(plain(Message("checklist.value_and_reason", "{value}: {reason}",
                                {{"value", answer.figure}, {"reason", answer.explanation}})),
                    width > 2 * indent ? width - indent : indent, indent));
        return text + "\n";
    }
    std::string text
        = fmt::format("{:<15} {:<52} {:<17} {}\n", heads.answer, heads.title, heads.value, heads.reason);
    for (const ChecklistAnswer& answer : checklist)
        text += fmt::format("{:<15} {:<52} {:<17} {}\n", plain(wordOf(answer.answer)), plain(answer.question),
            plain(answer.figure), wrappedText(plain(answer.explanation), room, reason));
    return text + "\n";
}

std::string checklistMarkdown(std::span<const ChecklistAnswer> checklist)
{
    if (checklist.empty())
        return {};
    const ChecklistHeads heads;
    std::string text = fmt::format("\n## {}\n\n| {} | {} | {} | {} |\n|---|---|---|---|\n", heads.title,
        heads.question, heads.answer, heads.value, heads.reason);
    for (const ChecklistAnswer& answer : checklist)
        text += fmt::format("| {} | {} | {} | {} |\n", markdownCell(plain(answer.question)),
            plain(wordOf(answer.answer)), markdownCell(plain(answer.figure)),
            markdownCell(plain(answer.explanation)));
    return text;
}

std::string checklistHtml(std::span<const ChecklistAnswer> checklist)
{
    if (checklist.empty())
        return {};
    const ChecklistHeads heads;
    std::string html
        = fmt::format("<h2>{}</h2>\n<table><tr><th>{}</th><th>{}</th><th>{}</th><th>{}</th></tr>\n",
            heads.title, heads.question, heads.answer, heads.value, heads.reason);
    for (const ChecklistAnswer& answer : checklist)
        html += fmt::format("<tr class=\"answer {}\"><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            keyOf(answer.answer), render(answer.question, Markup::Html),
            render(wordOf(answer.answer), Markup::Html), render(answer.figure, Markup::Html),
            render(answer.explanation, Markup::Html));
    return html + "</table>\n";
}

} // namespace warpline
