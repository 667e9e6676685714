# Writes a header with a hash of the sources that make a trace: cmake -DROOT=<source tree> -DOUTPUT=<header> -P
# trace_sources.cmake. Cached traces contain it, so that a corrected importer never reads an older trace. The header only
# changes when the sources do.
cmake_minimum_required(VERSION 3.25)

set(all "")
foreach(room base kernels sqlite store import kineto rocprof cache derive load)
    file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/core/${room}/*.h" "${ROOT}/core/${room}/*.cpp")
    list(SORT files)
    foreach(file IN LISTS files)
        file(SHA256 "${ROOT}/${file}" hash)
        string(APPEND all "${file} ${hash}\n")
    endforeach()
endforeach()
if(all STREQUAL "")
    message(FATAL_ERROR "no sources below ${ROOT}/core")
endif()
string(SHA256 hash "${all}")
string(SUBSTRING "${hash}" 0 16 hash)
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "#pragma once\n\n#include <cstdint>\n\nnamespace warpline {\n
/// A hash of the sources that make a trace, made when they are built.
inline constexpr std::uint64_t traceSources = 0x@hash@ULL;\n\n} // namespace warpline\n" @ONLY)
