#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace warpline {

/// Numbers become text here and nowhere else.

/// A length of time with a sensible unit and four significant digits: "812 ns", "1.234 ms", "2.5 s".
std::string formatDuration(Ns duration);
/// The nearest whole number: means and medians are rounded, wherever they are shown.
Ns wholeNs(double ns);
/// An instant on the report's clock in seconds, with up to nanoseconds: "1.005462841 s". `resolution` is the
/// time that a pixel or a step shows; digits below it are left out.
std::string formatTime(Ns time, Ns resolution = 1);
/// "67.1 MB", "512 B": powers of 1000, as nsys prints sizes.
std::string formatBytes(std::uint64_t bytes);
/// "12.3 GB/s".
std::string formatThroughput(double bytesPerSecond);
/// "1,234,567".
std::string formatCount(std::uint64_t count);
/// 0.8734 -> "87.3%".
std::string formatShare(double share);
/// A double with `decimals` digits, '.' as the decimal point whatever the locale.
std::string formatReal(double value, int decimals);
/// Like formatReal(), with separators of thousands: "59,022.4".
std::string formatNumber(double value, int decimals);
/// Like formatReal(), but exact halves round away from zero (12.25 -> "12.3"), as in SQLite and in nsys'
/// output.
std::string formatRounded(double value, int decimals);
/// The extent of a grid or block as nsys prints it, each number four wide: " 128    1    1".
std::string formatExtent(std::int64_t x, std::int64_t y, std::int64_t z);

/// The function of a C++ kernel name without template arguments, parameters and return type:
/// "void at::native::foo<int, 4>(float*)" -> "foo".
std::string shortFunctionName(std::string_view demangled);

} // namespace warpline
