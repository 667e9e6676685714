#include "core/load/report_files.h"

#include "core/base/ascii_case.h"
#include "core/base/file_wait.h"
#include "core/base/glob.h"
#include "core/base/platform/platform.h"
#include "core/files/plain_file.h"
#include "core/load/recording.h"
#include "core/load/report_format.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

namespace warpline {

namespace {

namespace fs = std::filesystem;

/// The number at the front of `text`, without leading zeros; takes it off.
std::string_view takeNumber(std::string_view& text)
{
    std::size_t end = 0;
    while (end < text.size() && isDigit(text[end]))
        ++end;
    std::string_view number = text.substr(0, end);
    text.remove_prefix(end);
    number.remove_prefix(std::min(number.size(), number.find_first_not_of('0')));
    return number;
}

/// A link to a file that is not there.
bool isDangling(const fs::path& path)
{
    std::error_code ignored;
    return fs::is_symlink(fs::symlink_status(path, ignored)) && !fs::exists(path, ignored);
}

bool isNamedAsTrace(const std::string& path)
{
    return std::ranges::any_of(
        allReportFormats(), [&](const ReportFormat* format) { return isNamedAs(path, *format); });
}

bool isReport(const fs::path& path)
{
    // A file with such a name that is not a report is rejected when it is opened.
    if (isRecording(platform::utf8Of(path)) || path.extension() == ".sqlite")
        return true;
    const std::string name = platform::utf8Of(path);
    const std::string head = beginningOfText(name, formatHeadBytes);
    if (head.empty() && isDangling(path)) // for its reader to name: a report is missing
        return isNamedAsTrace(name);
    return !head.empty() && std::ranges::any_of(allReportFormats(), [&](const ReportFormat* format) {
        return format->recognizes(head);
    });
}

fs::path folderOf(const fs::path& file)
{
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// The regular files of `folder`, and the links to none, that `wanted` accepts, sorted. `error`: why there
/// may be more.
template <typename Wanted>
std::vector<std::string> filesOf(const fs::path& folder, std::error_code& error, Wanted&& wanted)
{
    std::vector<std::string> found;
    const std::string name = platform::utf8Of(folder);
    error.clear();
    const auto waiting = [&name](auto call) { // each on its own: a large folder takes its time
        const FileWait wait(name);
        return call();
    };
    fs::directory_iterator each = waiting([&] { return fs::directory_iterator(folder, error); });
    const fs::directory_iterator end;
    for (; !error && each != end; waiting([&] { each.increment(error); })) {
        std::error_code ignored;
        if (waiting([&] { return each->is_regular_file(ignored) || isDangling(each->path()); })
            && wanted(each->path()))
            found.push_back(platform::utf8Of(each->path()));
    }
    std::ranges::sort(found, comesBefore);
    return found;
}

/// Removes recordings whose export is listed as well.
void preferExports(std::vector<std::string>& paths)
{
    std::set<fs::path> exported;
    for (const std::string& path : paths) {
        if (!isRecording(path) && !isDangling(platform::pathOf(path)))
            exported.insert(platform::pathOf(path).replace_extension());
    }
    std::erase_if(paths, [&](const std::string& path) {
        return isRecording(path) && exported.contains(platform::pathOf(path).replace_extension());
    });
}

/// The message for a folder without reports: often there is one folder per run.
Message noReportsMessage(const fs::path& folder, const std::string& name)
{
    std::size_t below = 0;
    const auto hasReportName = [](const fs::path& path) { // not opened: there may be any number
        return isRecording(platform::utf8Of(path)) || path.extension() == ".sqlite";
    };
    std::error_code error;
    for (fs::directory_iterator each(folder, error), end; !error && each != end; each.increment(error)) {
        std::error_code ignored;
        if (each->is_directory(ignored))
            below += filesOf(each->path(), ignored, hasReportName).size();
    }
    return {"report_files.none",
        "{below, plural, =0 {{folder} contains no reports.} =1 {{folder} contains no reports, but 1 subfolder does. Name that folder.} other {{folder} contains no reports, but # are in its subfolders. Name one of these folders, or the files: {folder}/*/*.sqlite}}",
        {{"below", Count{below}}, {"folder", Name{name}}}};
}

Message unreadableFolder(const fs::path& folder, const std::error_code& error)
{
    return {"file.unreadable", "{path} cannot be read: {reason}. Check its permissions.",
        {{"path", Name{platform::utf8Of(folder)}}, {"reason", Name{error.message()}}}};
}

/// The files of `name`; empty, with a message in `problem`, when there are none.
std::vector<std::string> filesNamed(const std::string& name, Message& problem)
{
    const fs::path path = platform::pathOf(name);
    std::error_code error;
    const auto isFolder = [&] {
        const FileWait wait(name);
        return fs::is_directory(path, error);
    };
    if (isFolder()) {
        auto found = filesOf(path, error, isReport);
        preferExports(found);
        if (found.empty())
            problem = error ? unreadableFolder(path, error) : noReportsMessage(path, name);
        return found;
    }
    const std::string last = platform::utf8Of(path.filename());
    if (last.find_first_of("*?") == std::string::npos || fs::exists(path, error))
        return {name};
    const fs::path folder = folderOf(path);
    auto found = filesOf(folder, error,
        [&](const fs::path& file) { return matchesGlob(platform::utf8Of(file.filename()), last); });
    preferExports(found);
    if (found.empty())
        problem = error && error != std::errc::no_such_file_or_directory
            ? unreadableFolder(folder, error)
            : Message("report_files.no_match", "No file matches {pattern}.", {{"pattern", Name{name}}});
    return found;
}

/// Where the name at `begin` of `operand` ends: at the next comma, or at a later one if that ends a file's
/// name.
std::size_t endOfName(const std::string& operand, std::size_t begin)
{
    constexpr std::size_t longestPath = 4096;
    const auto commaFrom = [&](std::size_t at) { return std::min(operand.find(',', at), operand.size()); };
    const std::size_t first = commaFrom(begin);
    for (std::size_t end = first; end - begin <= longestPath; end = commaFrom(end + 1)) {
        std::error_code ignored;
        const auto status = fs::status(platform::pathOf(operand.substr(begin, end - begin)), ignored);
        if (fs::exists(status) && !fs::is_directory(status))
            return end;
        if (end == operand.size())
            break;
    }
    return first;
}

/// `name` without ".json", ".json.gz" and so on; nothing: it has no such extension.
std::optional<std::string> traceStemOf(const std::string& name)
{
    for (const std::string_view ending : {".json.gz", ".json.xz", ".json.zst", ".json"}) {
        if (name.ends_with(ending))
            return name.substr(0, name.size() - ending.size());
    }
    return {};
}

bool isCaptureOf(std::string_view stem, std::string_view other)
{
    if (!other.starts_with(stem) || other.size() == stem.size())
        return false;
    const std::string_view added = other.substr(stem.size());
    return (added[0] == '.' || added[0] == '_' || added[0] == '-') && added.substr(1).starts_with("capture");
}

} // namespace

std::vector<std::string> filesNamedAsReports(const std::string& folder)
{
    constexpr std::size_t most = 4096; // no more can be open
    std::size_t found = 0;
    std::error_code ignored;
    return filesOf(platform::pathOf(folder), ignored, [&](const fs::path& file) {
        const std::string path = platform::utf8Of(file);
        return found < most && (isRecording(path) || isNamedAsTrace(path)) && ++found != 0;
    });
}

Error savedByWindow(bool isView, const std::string& path)
{
    return {"file.of_window",
        "{what, select, view {{path} is a saved view, not a report. Open its report in the window, then this file.} other {{path} is a saved set of reports, not a report. Open it in the window, or name its reports.}}",
        {{"what", Name{isView ? "view" : "reports"}}, {"path", Name{path}}}};
}

fs::path fileBehind(const std::string& path)
{
    std::error_code ignored;
    fs::path canonical = fs::weakly_canonical(platform::pathOf(path), ignored);
    return canonical.empty() ? platform::pathOf(path) : canonical;
}

std::vector<std::string> namesOfSide(const std::string& operand)
{
    std::error_code ignored;
    if (operand.find(',') == std::string::npos || fs::exists(platform::pathOf(operand), ignored))
        return {operand};
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin <= operand.size();) {
        const std::size_t end = endOfName(operand, begin);
        if (end > begin)
            names.push_back(operand.substr(begin, end - begin));
        begin = end + 1;
    }
    return names;
}

std::vector<std::string> captureFilesOf(const std::string& path)
{
    const fs::path file = platform::pathOf(path);
    const auto stem = traceStemOf(platform::utf8Of(file.filename()));
    if (!stem)
        return {};
    std::error_code ignored;
    return filesOf(folderOf(file), ignored, [&](const fs::path& each) {
        const auto other = traceStemOf(platform::utf8Of(each.filename()));
        return other && isCaptureOf(*stem, *other);
    });
}

bool comesBefore(std::string_view a, std::string_view b)
{
    const std::string_view wholeA = a;
    const std::string_view wholeB = b;
    while (!a.empty() && !b.empty()) {
        if (isDigit(a.front()) && isDigit(b.front())) {
            const std::string_view numberA = takeNumber(a);
            const std::string_view numberB = takeNumber(b);
            if (numberA.size() != numberB.size())
                return numberA.size() < numberB.size();
            if (numberA != numberB)
                return numberA < numberB;
            continue;
        }
        if (a.front() != b.front())
            return a.front() < b.front();
        a.remove_prefix(1);
        b.remove_prefix(1);
    }
    return a.empty() != b.empty() ? a.empty() : wholeA < wholeB;
}

ReportFiles findReportFiles(std::span<const std::string> names)
{
    ReportFiles files;
    std::set<fs::path> known;
    for (const std::string& name : names) {
        Message problem;
        for (std::string& path : filesNamed(name, problem)) {
            if (known.insert(fileBehind(path)).second)
                files.paths.push_back(std::move(path));
            else
                problem
                    = {"report_files.twice", "{path} is named twice and opens once.", {{"path", Name{path}}}};
        }
        if (!problem.empty())
            files.problems.push_back(std::move(problem));
    }
    return files;
}

} // namespace warpline
