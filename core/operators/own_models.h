#pragma once

#include "core/base/result.h"
#include "core/operators/work_formula.h"
#include "core/operators/work_model.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// Work models of a user's own file, which go before the built-in ones. docs/operators.md has the format.
class OwnWorkModels {
public:
    /// Parses them. Errors name `file`, the line and the problem.
    static Result<OwnWorkModels> read(std::string_view text, std::string_view file);
    static Result<OwnWorkModels> withFile(const std::string& path);

    /// The model of operator `name`: the first matching one of the user, else the built-in one; nullptr:
    /// none. The user's live as long as this object, and their `work` is nullptr: use workOf().
    const WorkModel* modelOf(std::string_view name) const;
    /// The work of `call` by `model`, which modelOf() gave.
    std::optional<Work> workOf(const WorkModel& model, const OperatorCall& call) const;

private:
    friend class OwnModelReader;

    struct Model {
        std::string operators;
        std::string kernelClass;
        std::optional<WorkFormula> flops;
        std::optional<WorkFormula> skipped;
        std::optional<WorkFormula> bytes;
        WorkModel model; ///< its texts are the ones above
        std::size_t line = 0; ///< where it begins
    };

    std::vector<std::unique_ptr<Model>> m_models; ///< pointers to them stay
};

/// Where the user's own models are looked for: operator-models.txt in Warpline's configuration folder. Empty:
/// there is no such folder.
std::string ownWorkModelsPath();
/// The models of that file; none where it is not there or has a mistake.
const OwnWorkModels& ownWorkModels();

} // namespace warpline
