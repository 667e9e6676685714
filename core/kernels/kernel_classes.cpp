#include "core/kernels/kernel_classes.h"

#include "core/base/ascii_case.h"
#include "core/base/config_file.h"
#include "core/base/message_names.h"
#include "core/base/words.h"
#include "core/kernels/kernel_names.h"

#include <algorithm>

namespace warpline {

/// resources/kernel_classes.txt; compiled in, since the command line is a single file that is copied around.
extern const char* const builtInKernelClasses;

namespace {

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
            return Error{"kernel_classes.no_id", "a class needs an id and a title"};
        const auto known = std::ranges::find(m_classes, id, &KernelClass::id);
        const std::string title(line.empty() ? std::string_view(id) : line);
        if (known != m_classes.end())
            known->title = title;
        else if (m_classes.size() == maxKernelClasses)
            return Error{"kernel_classes.too_many", "there are more than {most} classes",
                {{"most", Count{maxKernelClasses}}}};
        else
            m_classes.insert(m_classes.end() - 1, {id, title});
        return {};
    }
    const std::size_t kernelClass = indexOf(first);
    if (kernelClass == unclassified() && first != m_classes.back().id)
        return Error{"kernel_classes.unknown",
            "there is no class '{id}'; a line 'class {id} TITLE' declares it",
            {{"id", Name{std::string(first)}}}};
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
        if (end > 0) {
            rule.parts.push_back(lowered(line.substr(0, end)));
            rule.pairs |= pairsOf(rule.parts.back());
        }
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    if (rule.parts.empty())
        return Error{"kernel_classes.no_pattern", "'{id}' has no pattern after it",
            {{"id", Name{std::string(first)}}}};
    rules.push_back(std::move(rule));
    return {};
}

Result<void> KernelClassRules::read(std::string_view text, std::string_view file, std::vector<Rule>& rules)
{
    return readConfigLines(
        text, file, [&](std::string_view line, std::size_t) { return readLine(line, rules); });
}

const KernelClassRules& KernelClassRules::builtIn()
{
    static const KernelClassRules rules = [] {
        KernelClassRules made;
        // A test checks that every line of this built-in file is valid.
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
    const auto text = readConfigFile(path, {"kernel_classes.content", "rules for kernel classes"});
    return text.ok() ? withOwn(text.value(), path) : Result<KernelClassRules>(text.error());
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
    constexpr std::size_t longest = 32768; // no compiler makes longer names; each is compared with all rules
    const std::string lower = lowered(demangled.substr(0, longest));
    std::string_view name = lower;
    if (name.starts_with("void "))
        name.remove_prefix(5);
    const std::string_view function = functionOf(name);
    const std::uint64_t pairs = pairsOf(name);
    const auto fitting
        = [&](const Rule& rule) { return (rule.pairs & ~pairs) == 0 && fits(rule, name, function); };
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
    return configPath("kernel-classes.txt");
}

const KernelClassRules& kernelClassRules()
{
    static const KernelClassRules rules = [] {
        auto own = KernelClassRules::withFile(ownKernelClassesPath());
        return own.ok() ? own.take() : KernelClassRules::builtIn();
    }();
    return rules;
}

Message titleOf(const KernelClass& of)
{
    const auto& known = KernelClassRules::builtIn().classes();
    const auto found = std::ranges::find(known, of.id, &KernelClass::id);
    if (found == known.end() || found->title != of.title)
        return nameMessage(of.title);
    return {"kernel_class", found->id, found->title};
}

Message classText(std::string_view title)
{
    const auto& known = KernelClassRules::builtIn().classes();
    const auto found = std::ranges::find(known, title, &KernelClass::title);
    return found == known.end() ? nameMessage(std::string(title)) : titleOf(*found);
}

} // namespace warpline
