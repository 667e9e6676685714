#include "core/kernels/kernel_classes.h"

#include "core/base/ascii_case.h"
#include "core/kernels/kernel_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace warpline {

/// resources/kernel_classes.txt; compiled in, since the command line is a single file that is copied around.
extern const char* const builtInKernelClasses;

namespace {

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r";
    const std::size_t first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Cuts the first word off `text`.
std::string_view takeWord(std::string_view& text)
{
    text = trimmed(text);
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string_view word = text.substr(0, end);
    text = trimmed(text.substr(end));
    return word;
}

/// The name's part before its template arguments and parameters.
std::string_view functionOf(std::string_view name)
{
    for (std::size_t i = 0; i < name.size(); ++i) {
        bool skipped = false;
        for (const std::string_view scope : {"<unnamed>", "(anonymous namespace)"}) {
            if (!skipped && name.substr(i).starts_with(scope)) {
                i += scope.size() - 1;
                skipped = true;
            }
        }
        if (!skipped && (name[i] == '<' || name[i] == '('))
            return name.substr(0, i);
    }
    return name;
}

} // namespace

KernelClassRules::KernelClassRules()
    : m_classes{{"unclassified", "Own or unknown kernels"}}
{
}

Result<void> KernelClassRules::readLine(std::string_view line, std::vector<Rule>& rules)
{
    const std::string_view first = takeWord(line);
    if (first == "class") {
        const std::string id(takeWord(line));
        if (id.empty())
            return Error{"a class needs an id and a title"};
        const auto known = std::ranges::find(m_classes, id, &KernelClass::id);
        const std::string title(line.empty() ? std::string_view(id) : line);
        if (known != m_classes.end())
            known->title = title;
        else if (m_classes.size() == mostKernelClasses)
            return Error{fmt::format("there are more than {} classes", mostKernelClasses)};
        else
            m_classes.insert(m_classes.end() - 1, {id, title});
        return {};
    }
    const std::size_t kernelClass = indexOf(first);
    if (kernelClass == unclassified() && first != m_classes.back().id)
        return Error{
            fmt::format("there is no class '{}'; a line 'class {} TITLE' declares it", first, first)};
    Rule rule;
    rule.kernelClass = kernelClass == unclassified() ? none : kernelClass;
    if (line.starts_with('^')) {
        rule.anchored = true;
        line.remove_prefix(1);
    }
    if (line.ends_with("()")) {
        rule.inFunction = true;
        line.remove_suffix(2);
    }
    while (!line.empty()) {
        const std::size_t end = std::min(line.find('*'), line.size());
        if (end > 0)
            rule.parts.push_back(lowered(line.substr(0, end)));
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    if (rule.parts.empty())
        return Error{fmt::format("'{}' has no pattern behind it", first)};
    rules.push_back(std::move(rule));
    return {};
}

Result<void> KernelClassRules::read(std::string_view text, std::string_view file, std::vector<Rule>& rules)
{
    std::size_t number = 0;
    while (!text.empty()) {
        ++number;
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.starts_with('#'))
            continue;
        if (const Result<void> done = readLine(line, rules); !done.ok())
            return Error{fmt::format("{}, line {}: {}.", file, number, done.error().message)};
    }
    return {};
}

const KernelClassRules& KernelClassRules::builtIn()
{
    static const KernelClassRules rules = [] {
        KernelClassRules made;
        // The file is Warpline's own; tests see to it that every line of it can be read.
        (void)made.read(builtInKernelClasses, "resources/kernel_classes.txt", made.m_rules);
        return made;
    }();
    return rules;
}

Result<KernelClassRules> KernelClassRules::withOwn(std::string_view text, std::string_view file)
{
    KernelClassRules made = builtIn();
    if (const Result<void> done = made.read(text, file, made.m_own); !done.ok())
        return done.error();
    return made;
}

Result<KernelClassRules> KernelClassRules::withFile(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return Error{fmt::format("{} cannot be opened: name a file with rules for kernel classes.", path)};
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    return withOwn(text, path);
}

bool KernelClassRules::fits(const Rule& rule, std::string_view name, std::string_view function)
{
    const std::string_view text = rule.inFunction ? function : name;
    std::size_t from = 0;
    for (std::size_t i = 0; i < rule.parts.size(); ++i) {
        if (i == 0 && rule.anchored) {
            if (!text.starts_with(rule.parts[0]))
                return false;
            from = rule.parts[0].size();
            continue;
        }
        const std::size_t found = text.find(rule.parts[i], from);
        if (found == std::string_view::npos)
            return false;
        from = found + rule.parts[i].size();
    }
    return true;
}

std::size_t KernelClassRules::classOf(std::string_view demangled) const
{
    const std::string lower = lowered(demangled);
    std::string_view name = lower;
    if (name.starts_with("void "))
        name.remove_prefix(5);
    const std::string_view function = functionOf(name);
    const auto fitting = [&](const Rule& rule) { return fits(rule, name, function); };
    const auto meant
        = [&](const Rule& rule) { return rule.kernelClass == none ? unclassified() : rule.kernelClass; };
    if (const auto own = std::ranges::find_if(m_own, fitting); own != m_own.end())
        return meant(*own);
    if (isCommunication(demangled))
        return indexOf("communication");
    const auto found = std::ranges::find_if(m_rules, fitting);
    return found != m_rules.end() ? meant(*found) : unclassified();
}

std::size_t KernelClassRules::indexOf(std::string_view id) const
{
    const auto found = std::ranges::find(m_classes, id, &KernelClass::id);
    return found != m_classes.end() ? static_cast<std::size_t>(found - m_classes.begin()) : unclassified();
}

std::string ownKernelClassesPath()
{
    const char* const config = std::getenv("XDG_CONFIG_HOME");
    if (config && *config == '/')
        return std::string(config) + "/warpline/kernel-classes.txt";
    const char* const home = std::getenv("HOME");
    return home && *home == '/' ? std::string(home) + "/.config/warpline/kernel-classes.txt" : std::string();
}

const KernelClassRules& kernelClassRules()
{
    static const KernelClassRules rules = [] {
        auto own = KernelClassRules::withFile(ownKernelClassesPath());
        return own.ok() ? own.take() : KernelClassRules::builtIn();
    }();
    return rules;
}

} // namespace warpline
