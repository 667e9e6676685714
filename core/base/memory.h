#pragma once

namespace warpline {

/// Hands memory that was freed, but that the allocator keeps for itself, back to the system. Worth it after
/// work with large temporaries.
void returnFreeMemory();

} // namespace warpline
