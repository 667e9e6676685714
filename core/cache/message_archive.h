#pragma once

#include "core/base/message.h"
#include "core/cache/archive.h"

namespace warpline {

/// Writes `message` with its values, not as a text: who reads it may use another language.
void writeMessage(ArchiveWriter& archive, const Message& message);
/// Reads what writeMessage() wrote; an empty message when the reader fails.
Message readMessage(ArchiveReader& archive);

} // namespace warpline
