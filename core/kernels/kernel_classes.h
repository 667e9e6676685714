#pragma once

#include "core/base/message.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// A class of kernels: matrix product, attention, normalization ...
struct KernelClass {
    std::string id; ///< "gemm": in files, JSON and CSV
    std::string title; ///< "Matrix products"
};

/// Rules that classify kernels by name; resources/kernel_classes.txt describes their syntax.
class KernelClassRules {
public:
    /// The rules that come with Warpline.
    static const KernelClassRules& builtIn();
    /// Reads rules of the user's own, which go before the built-in ones. `file` is named in errors: an
    /// unknown class, a line without a pattern, more than maxKernelClasses classes.
    static Result<KernelClassRules> withOwn(std::string_view text, std::string_view file);
    /// The rules of the file at `path` before the built-in ones.
    static Result<KernelClassRules> withFile(const std::string& path);

    /// In the order in which they take precedence; the last is that of kernels that no rule knows.
    std::span<const KernelClass> classes() const { return m_classes; }
    /// Index into classes() for a kernel's demangled name. O(length x rules).
    std::size_t classOf(std::string_view demangled) const;
    /// Index of the class `id`; that of unclassified kernels when there is none.
    std::size_t indexOf(std::string_view id) const;
    std::size_t unclassified() const { return m_classes.size() - 1; }

private:
    /// Unclassified on purpose; classes declared later move the index of that class.
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    struct Rule {
        std::vector<std::string> parts; ///< in lower case; each must follow the one before
        std::uint64_t pairs = 0; ///< pairsOf() all parts
        std::size_t kernelClass = 0;
        bool anchored = false; ///< the first part begins the name
        bool inFunction = false; ///< the pattern lies completely before template arguments and parameters
    };

    KernelClassRules();
    Result<void> read(std::string_view text, std::string_view file, std::vector<Rule>& rules);
    Result<void> readLine(std::string_view line, std::vector<Rule>& rules);
    static bool fits(const Rule& rule, std::string_view name, std::string_view function);

    std::vector<KernelClass> m_classes;
    std::vector<Rule> m_own; ///< of the user
    std::vector<Rule> m_rules;
};

/// More would not fit the mask that the sweep over a GPU's time keeps.
inline constexpr std::size_t maxKernelClasses = 48;

/// Where the user's own rules are looked for: kernel-classes.txt in Warpline's configuration folder
/// (XDG_CONFIG_HOME, or ~/.config). Empty: there is no such folder.
std::string ownKernelClassesPath();
/// The rules in use: those of ownKernelClassesPath(), if that file exists and is valid, before the built-in
/// ones.
const KernelClassRules& kernelClassRules();

/// The title of a class in the language of texts. One that the user's own file gave stays as it is.
Message titleOf(const KernelClass& of);
/// The same for the title of a class, which tables store.
Message classText(std::string_view title);

} // namespace warpline
