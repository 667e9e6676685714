#pragma once

#include "core/base/message.h"
#include "core/kernels/kernel_classes.h"

namespace warpline {

/// The title of a class in the language of texts. One that the user's own file gave stays as it is.
Message titleOf(const KernelClass& of);
/// The same of a class by its title, which is what tables keep.
Message classText(std::string_view title);

} // namespace warpline
