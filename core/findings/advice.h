#pragma once

#include "core/base/message.h"

#include <vector>

namespace warpline {

/// Each text of adviceFor() and languageAdviceFor(), for whom translates them; some more than once.
std::vector<Message> allAdvice();
std::vector<Message> allLanguageAdvice();

} // namespace warpline
