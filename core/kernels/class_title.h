#pragma once

#include "core/base/message.h"
#include "core/kernels/kernel_classes.h"

namespace warpline {

/// The title of `kernelClass`; of those that come with Warpline, to be translated.
Message titleOf(const KernelClass& kernelClass);

} // namespace warpline
