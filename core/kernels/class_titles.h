#pragma once

#include "core/base/message.h"
#include "core/kernels/kernel_classes.h"

namespace warpline {

/// The title of a class in the language of texts. One that the user's own file gave stays as it is.
Message titleOf(const KernelClass& of);
/// The same for the title of a class, which tables store.
Message classText(std::string_view title);

} // namespace warpline
