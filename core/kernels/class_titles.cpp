#include "core/kernels/class_titles.h"

#include <algorithm>

namespace warpline {

Message titleOf(const KernelClass& of)
{
    const auto& known = KernelClassRules::builtIn().classes();
    const auto found = std::ranges::find(known, of.id, &KernelClass::id);
    if (found == known.end() || found->title != of.title)
        return Message(of.title);
    return {"kernel_class", found->id, found->title};
}

} // namespace warpline
