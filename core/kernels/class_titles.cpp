#include "core/kernels/class_titles.h"

#include "core/base/message_names.h"

#include <algorithm>

namespace warpline {

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
