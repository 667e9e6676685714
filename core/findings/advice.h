#pragma once

#include "core/analysis/program_kind.h"
#include "core/base/message.h"

#include <string_view>
#include <vector>

namespace warpline {

/// The remedy in terms of the program: functions of its framework, directives, or lines of CUDA C++ to paste.
/// `topic` is the id of a rule, or more specific ("sync_per_iteration.value"). Empty when the general remedy
/// is enough.
Message adviceFor(std::string_view topic, const ProgramKind& program);
/// The same for Kokkos, RAJA, parallel algorithms of ISO C++, Julia and CUDA Fortran.
Message languageAdviceFor(std::string_view topic, const ProgramKind& program);

/// Each text of the two, for whom translates them; some more than once.
std::vector<Message> allAdvice();
std::vector<Message> allLanguageAdvice();

} // namespace warpline
