#include "core/store/part_of_recording.h"

#include "core/base/format_instant.h"
#include "core/store/recorder.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstddef>

namespace warpline {

namespace {

constexpr std::string_view partFact = "Part of a recording, in ns";

/// The first numbers in `text`; false: there are fewer.
template <std::size_t count> bool numbersIn(std::string_view text, std::array<Ns, count>& numbers)
{
    for (Ns& number : numbers) {
        const std::size_t begin = text.find_first_of("-0123456789");
        if (begin == std::string_view::npos)
            return false;
        text.remove_prefix(begin);
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc())
            return false;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    }
    return true;
}

bool isPossible(const RecordingPart& part)
{
    const auto isNear
        = [](TimeRange range) { return isPossibleTime(range.start) && isPossibleTime(range.end); };
    return isNear(part.kept) && isNear(part.whole) && isNear(part.gpuWork) && !part.kept.empty();
}

std::vector<Argument> timesOf(const RecordingPart& part)
{
    return {{"kept", Duration{part.kept.duration()}}, {"start", Name{formatInstant(part.kept.start, 1000)}},
        {"end", Name{formatInstant(part.kept.end, 1000)}}, {"whole", Duration{part.whole.duration()}}};
}

} // namespace

std::optional<RecordingPart> partOf(const ReportInfo& info)
{
    std::array<Ns, 6> times{};
    if (!numbersIn(captureFact(info, partFact), times))
        return std::nullopt;
    const RecordingPart part{{times[0], times[1]}, {times[2], times[3]}, {times[4], times[5]}};
    return isPossible(part) ? std::optional(part) : std::nullopt; // a report may hold the text itself
}

TimeRange recordedSession(const Trace& trace)
{
    const auto part = partOf(trace.info);
    return part ? part->whole : trace.session;
}

bool setPart(ReportInfo& info, const RecordingPart& part)
{
    const bool isSet = isPossible(part);
    if (isSet)
        info.capture.emplace_back(partFact,
            fmt::format("{} .. {} / {} .. {} / GPU {} .. {}", part.kept.start, part.kept.end,
                part.whole.start, part.whole.end, part.gpuWork.start, part.gpuWork.end));
    return isSet;
}

Message partText(const RecordingPart& part)
{
    return {"report.part", "a part of a recording: {kept}, from {start} to {end} of {whole}", timesOf(part)};
}

Message partNote(const ReportInfo& info)
{
    const auto part = partOf(info);
    if (!part || part->isWhole())
        return {};
    std::vector<Argument> arguments = timesOf(*part);
    arguments.push_back({"path", Name{info.path}});
    return {"file.part", "{path} is a part of a recording: {kept}, from {start} to {end} of {whole}.",
        std::move(arguments)};
}

} // namespace warpline
