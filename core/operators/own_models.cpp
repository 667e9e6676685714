#include "core/operators/own_models.h"

#include "core/base/config_file.h"
#include "core/base/near_names.h"
#include "core/base/words.h"
#include "core/kernels/kernel_classes.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

/// Calls `visit` with each of the blank-separated `names` until it returns true; returns whether it did.
template <typename Visit> bool anyWord(std::string_view names, Visit visit)
{
    while (!names.empty()) {
        if (visit(takeWord(names)))
            return true;
    }
    return false;
}

bool fitsName(std::string_view pattern, std::string_view name)
{
    return pattern.ends_with('*') ? name.starts_with(pattern.substr(0, pattern.size() - 1)) : name == pattern;
}

/// Products of these classes run on tensor cores where there are any.
bool classMultiplies(std::string_view kernelClass)
{
    constexpr std::array<std::string_view, 4> classes{"gemm", "convolution", "attention", "moe"};
    return std::ranges::find(classes, kernelClass) != classes.end();
}

Ordinal ordinal(std::size_t line)
{
    return {static_cast<std::int64_t>(line)};
}

} // namespace

/// Reads the lines of a file of models.
class OwnModelReader {
public:
    Result<void> line(std::string_view line, std::size_t number)
    {
        const std::string word(takeWord(line));
        if (word == "operator")
            return begin(line, number);
        const bool isKnown = word == "class" || word == "flops" || word == "skipped" || word == "bytes";
        if (!isKnown) {
            const std::array<std::string, 5> words{"operator", "class", "flops", "skipped", "bytes"};
            return Error{"own_models.word", "a line begins with {words}, not with '{word}'",
                {{"words", orList(words)}, {"word", Name{word}}}};
        }
        if (m_models.m_models.empty())
            return Error{"own_models.no_operator", "'{word}' has no line 'operator NAME' before it",
                {{"word", Name{word}}}};
        OwnWorkModels::Model& model = *m_models.m_models.back();
        if (word == "class")
            return readClass(model, line);
        std::optional<WorkFormula>& formula = word == "flops" ? model.flops
            : word == "bytes"                                 ? model.bytes
                                                              : model.skipped;
        if (formula)
            return Error{"own_models.twice", "'{word}' appears twice for the operator in line {line}",
                {{"word", Name{word}}, {"line", ordinal(model.line)}}};
        auto read = WorkFormula::read(line);
        if (!read.ok())
            return Error{"own_models.formula", "{word}: {problem}",
                {{"word", Name{word}}, {"problem", read.error().message}}};
        formula = read.take();
        return {};
    }

    /// Finishes them.
    Result<OwnWorkModels> models(std::string_view file)
    {
        for (const auto& each : m_models.m_models) {
            if (!each->flops && !each->bytes)
                return Error{"own_models.no_formula",
                    "{file}, line {line}: '{operators}' needs a line 'flops FORMULA' or 'bytes FORMULA'.",
                    {{"file", Name{std::string(file)}}, {"line", ordinal(each->line)},
                        {"operators", Name{each->operators}}}};
            each->model.operators = each->operators;
            each->model.kernelClass = each->kernelClass;
            each->model.multiplies = classMultiplies(each->kernelClass);
        }
        return std::move(m_models);
    }

private:
    Result<void> begin(std::string_view names, std::size_t number)
    {
        if (names.empty())
            return Error{"own_models.no_name", "'operator' needs a name, such as my::linear"};
        for (const auto& each : m_models.m_models) {
            std::string_view taken;
            if (anyWord(names, [&](std::string_view name) {
                    taken = name;
                    return anyWord(each->operators, [&](std::string_view known) { return known == name; });
                }))
                return Error{"own_models.taken", "'{name}' already has a model in line {line}",
                    {{"name", Name{std::string(taken)}}, {"line", ordinal(each->line)}}};
        }
        auto model = std::make_unique<OwnWorkModels::Model>();
        model->operators = std::string(names);
        model->line = number;
        m_models.m_models.push_back(std::move(model));
        return {};
    }

    static Result<void> readClass(OwnWorkModels::Model& model, std::string_view id)
    {
        const std::vector<std::string> ids = entryNames(kernelClassRules().classes(), &KernelClass::id);
        if (std::ranges::find(ids, id) == ids.end())
            return Error{"own_models.no_class", "there is no kernel class '{id}'{near}",
                {{"id", Name{std::string(id)}}, {"near", didYouMean(id, ids)}}};
        model.kernelClass = std::string(id);
        return {};
    }

    OwnWorkModels m_models;
};

Result<OwnWorkModels> OwnWorkModels::read(std::string_view text, std::string_view file)
{
    OwnModelReader reader;
    const Result<void> done = readConfigLines(
        text, file, [&](std::string_view line, std::size_t number) { return reader.line(line, number); });
    return done.ok() ? reader.models(file) : Result<OwnWorkModels>(done.error());
}

Result<OwnWorkModels> OwnWorkModels::withFile(const std::string& path)
{
    const auto text = readConfigFile(path, {"own_models.content", "models of operators"});
    return text.ok() ? read(text.value(), path) : Result<OwnWorkModels>(text.error());
}

const WorkModel* OwnWorkModels::modelOf(std::string_view name) const
{
    for (const auto& each : m_models) {
        if (anyWord(each->operators, [&](std::string_view pattern) { return fitsName(pattern, name); }))
            return &each->model;
    }
    return workModelOf(name);
}

std::optional<Work> OwnWorkModels::workOf(const WorkModel& model, const OperatorCall& call) const
{
    const auto own = std::ranges::find_if(m_models, [&](const auto& each) { return &each->model == &model; });
    if (own == m_models.end())
        return model.work(call);
    const auto valueOf = [&](const std::optional<WorkFormula>& formula) {
        return formula ? formula->of(call) : std::nullopt;
    };
    return Work{.flops = valueOf((*own)->flops),
        .skipped = valueOf((*own)->skipped).value_or(0),
        .bytes = valueOf((*own)->bytes)};
}

std::string ownWorkModelsPath()
{
    return configPath("operator-models.txt");
}

const OwnWorkModels& ownWorkModels()
{
    static const OwnWorkModels models = [] {
        auto own = OwnWorkModels::withFile(ownWorkModelsPath());
        return own.ok() ? own.take() : OwnWorkModels();
    }();
    return models;
}

} // namespace warpline
