#pragma once

#include "core/operators/element_type.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace warpline {

/// Properties of an operator that its kernels' names reveal.
struct KernelHints {
    KernelMath math; ///< of the product among them
    ElementType element = ElementType::Unknown; ///< element type of products, else of the longest kernel
    std::string_view longest; ///< name of the kernel that takes longest
    int products = 0;
    bool inputGradient = false; ///< one is named as a convolution's gradient of the input
    bool weightGradient = false;

    /// Adds another kernel of the same operator.
    void add(const KernelHints& kernel, bool isLongest);
    /// Which gradients a convolution's backward pass computes; nothing where names do not show it.
    std::optional<std::array<bool, 2>> gradients() const;
    /// Equal for hints that mean the same.
    std::uint64_t key() const;
};

/// The hints of the kernel named so; `name` must outlive them. O(length).
KernelHints hintsOfKernel(std::string_view name);

} // namespace warpline
