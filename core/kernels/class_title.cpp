#include "core/kernels/class_title.h"

#include <algorithm>

namespace warpline {

Message titleOf(const KernelClass& kernelClass)
{
    const auto known = KernelClassRules::builtIn().classes();
    const auto same = std::ranges::find_if(known, [&](const KernelClass& each) {
        return each.id == kernelClass.id && each.title == kernelClass.title;
    });
    return same != known.end() ? Message(same->id, "class_title", same->title) : Message(kernelClass.title);
}

} // namespace warpline
