#include "core/filter/filter_completion.h"

#include "core/base/ascii_case.h"
#include "core/base/message_names.h"
#include "core/base/path_names.h"
#include "core/base/utf8.h"
#include "core/filter/filter_expression.h"
#include "core/filter/filter_values.h"
#include "core/store/gpu_names.h"
#include "core/store/range_words.h"
#include "core/store/trace.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

namespace warpline {

namespace {

constexpr EventIndex maxEventsRead = 100'000; // of a kind, for their names

bool holds(std::string_view text, std::string_view typed)
{
    return typed.empty()
        || std::search(text.begin(), text.end(), typed.begin(), typed.end(),
               [](char a, char b) { return lowerOf(a) == lowerOf(b); })
        != text.end();
}

bool begins(std::string_view text, std::string_view typed)
{
    return holds(text.substr(0, typed.size()), typed) && text.size() >= typed.size();
}

/// Quoted where a bare word would be parsed as something else.
std::string asWritten(std::string_view text)
{
    const bool plain = !text.empty() && text.find_first_of(" \t\"()<>=!~,*?") == std::string_view::npos
        && text.front() != '/' && text.front() != '-';
    return plain ? toUtf8(text) : quotedValue(toUtf8(text));
}

/// Collects choices that match the typed text; those that begin with it come first.
class Collector {
public:
    explicit Collector(std::string_view typed)
        : m_typed(typed)
    {
        if (m_typed.starts_with('"'))
            m_typed.remove_prefix(1);
    }

    /// `about`: another text that may match, such as the name of a thread for its number.
    void add(std::string_view value, Message help = {}, std::string_view about = {},
        std::optional<std::string> written = {})
    {
        if (value.empty() || isFull() || !(holds(value, m_typed) || holds(about, m_typed))
            || !m_known.emplace(value).second)
            return;
        FilterChoice choice{written ? std::move(*written) : asWritten(value), std::move(help)};
        (begins(value, m_typed) ? m_first : m_others).push_back(std::move(choice));
    }
    bool isFull() const { return m_first.size() >= maxFilterChoices; }
    std::vector<FilterChoice> take()
    {
        m_first.insert(m_first.end(), std::make_move_iterator(m_others.begin()),
            std::make_move_iterator(m_others.end()));
        m_first.resize(std::min(m_first.size(), maxFilterChoices));
        return std::move(m_first);
    }

private:
    std::string_view m_typed;
    std::unordered_set<std::string> m_known;
    std::vector<FilterChoice> m_first;
    std::vector<FilterChoice> m_others;
};

void addNames(const Trace& trace, EventKind kind, Collector& out)
{
    const EventTable& table = trace.table(kind);
    std::unordered_set<std::uint32_t> known;
    const auto count = static_cast<EventIndex>(std::min<std::size_t>(table.size(), maxEventsRead));
    for (EventIndex i = 0; i < count && !out.isFull(); ++i) {
        const StringId id = kind == EventKind::Kernel && trace.kernels().launch(i).shortName != StringId{}
            ? trace.kernels().launch(i).shortName
            : table.name[i];
        if (known.insert(raw(id)).second)
            out.add(trace.text(id), titleOf(trace, kind), titleOf(kind));
    }
}

void addOfTrack(const Trace& trace, FilterField field, EventKind kind, const Track& track, Collector& out)
{
    if (field == FilterField::Stream && track.stream >= 0)
        out.add(std::to_string(track.stream));
    else if (field == FilterField::Context && track.context >= 0)
        out.add(std::to_string(track.context));
    else if (field == FilterField::Device && track.device >= 0)
        out.add(std::to_string(gpuNumber(trace, track.owner, track.device)));
    else if (field == FilterField::Domain && (kind == EventKind::Nvtx || kind == EventKind::Library))
        out.add(trace.text(track.family), titleOf(trace, kind), titleOf(kind));
    else if (field == FilterField::Thread && tidOf(track.owner) != 0) {
        const Thread* const thread = trace.thread(track.owner);
        const std::string_view name = thread ? trace.text(thread->name) : std::string_view();
        out.add(std::to_string(tidOf(track.owner)), nameMessage(toUtf8(name)), name);
    } else if (field == FilterField::Process && track.owner != 0) {
        const Process* const process = trace.process(processOf(track.owner));
        const std::string_view name = process ? baseName(trace.text(process->name)) : std::string_view();
        out.add(std::to_string(pidOf(track.owner)), nameMessage(toUtf8(name)), name);
    }
}

void addValues(const Trace& trace, const NamedField& field, Collector& out)
{
    switch (field.field) {
    case FilterField::Name:
        for (const EventKind kind : {EventKind::Kernel, EventKind::Nvtx, EventKind::ApiCall,
                 EventKind::Memcpy, EventKind::Memset, EventKind::Library, EventKind::OsRuntime})
            addNames(trace, kind, out);
        break;
    case FilterField::Call:
        addNames(trace, EventKind::ApiCall, out);
        break;
    case FilterField::Path:
        addNames(trace, EventKind::Nvtx, out);
        break;
    case FilterField::Kind:
        for (const EventKind kind : allEventKinds()) {
            if (!trace.table(kind).empty())
                out.add(keyOf(kind), titleOf(trace, kind), titleOf(kind));
        }
        if (std::ranges::any_of(trace.nvtx().tracks,
                [](const Track& track) { return isRecordedOnGpu(EventKind::Nvtx, track); }))
            out.add(kindKeyOf(EventKind::Nvtx, true), titleOf(trace, EventKind::Nvtx, true));
        break;
    case FilterField::Category:
        for (const NvtxAttributes& attributes : trace.nvtx().attributes)
            out.add(trace.text(attributes.categoryName));
        break;
    case FilterField::Rank:
        for (const MpiRank& rank : trace.mpiRanks)
            out.add(std::to_string(rank.rank));
        break;
    default:
        for (const EventKind kind : allEventKinds()) {
            for (const Track& track : trace.table(kind).tracks)
                addOfTrack(trace, field.field, kind, track, out);
        }
    }
}

/// The operators that a field has, the usual one first.
std::vector<std::string_view> operatorsOf(FilterType type)
{
    switch (type) {
    case FilterType::Text:
        return {"~", "=", "!=", "!~"};
    case FilterType::Path:
    case FilterType::Words:
        return {"=", "!=", "~", "!~"};
    case FilterType::Any:
        return {"=", "!=", ">", ">=", "<", "<=", "~", "!~"};
    default:
        return {">", ">=", "<", "<=", "=", "!="};
    }
}

void addFields(const Trace& trace, std::string_view typed, Collector& out)
{
    for (const FilterFieldInfo& info : allFilterFields()) {
        const auto operators = operatorsOf(info.type);
        const bool isWhole = typed == info.key;
        for (const std::string_view each : operators) {
            const std::string written = std::string(info.key) + std::string(each);
            out.add(written, info.helpText(), info.help, written);
            if (!isWhole)
                break;
        }
    }
    for (const StringId name : trace.nvtx().payloadFields) {
        const std::string key = "payload." + toUtf8(trace.text(name));
        if (key.find_first_of(" \t=<>!~") == std::string::npos)
            out.add(key + "=", {"filter.payload", "field of NVTX payloads"}, {}, key + "=");
    }
    for (const std::string_view word : {"and", "or", "not"})
        out.add(word, {"filter.joins", "joins terms"}, {}, std::string(word) + " ");
}

/// The begin of the word that ends at `cursor`: after the last unquoted blank or "(".
std::size_t beginOfWord(std::string_view text)
{
    std::size_t begin = 0;
    bool inQuotes = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"' && (i == 0 || text[i - 1] != '\\'))
            inQuotes = !inQuotes;
        else if (!inQuotes
            && (text[i] == ' ' || text[i] == '\t' || (text[i] == '(' && i == begin)
                || (text[i] == '-' && i == begin)))
            begin = i + 1;
    }
    return begin;
}

} // namespace

FilterChoices filterChoicesAt(const Trace& trace, std::string_view text, std::size_t cursor)
{
    FilterChoices found;
    text = text.substr(0, std::min(cursor, text.size()));
    found.begin = beginOfWord(text);
    const std::string_view word = text.substr(found.begin);
    const std::size_t compared = word.find_first_of("=<>~!");
    const auto field
        = compared != std::string_view::npos ? findFilterField(word.substr(0, compared)) : std::nullopt;
    if (!field) {
        if (compared == std::string_view::npos) {
            Collector out(word);
            addFields(trace, word, out);
            found.choices = out.take();
        }
        return found;
    }
    std::size_t value = word.find_first_not_of("=<>~!", compared);
    value = value == std::string_view::npos ? word.size() : value;
    const FilterType type = infoOf(field->field).type;
    if (const auto comma = word.find_last_of(type == FilterType::Path ? "/" : ",");
        type != FilterType::Text && comma != std::string_view::npos && comma >= value)
        value = comma + 1;
    if (word.substr(value).starts_with('/'))
        return found; // a regular expression is everybody's own
    found.begin += value;
    Collector out(word.substr(value));
    addValues(trace, *field, out);
    found.choices = out.take();
    return found;
}

} // namespace warpline
