# The hash in cached traces changes with every source that makes a trace, and with nothing else.
# Run as: cmake -DROOT=<source tree> -DFOLDER=<folder to write to> -P tests/trace_sources.cmake
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${FOLDER}")
file(COPY "${ROOT}/core" DESTINATION "${FOLDER}")

# Sets `result` to the hash of the copy's sources.
macro(read_hash result)
    execute_process(COMMAND "${CMAKE_COMMAND}" "-DROOT=${FOLDER}" "-DOUTPUT=${FOLDER}/hash.h" -P "${ROOT}/core/cache/trace_sources.cmake"
        COMMAND_ERROR_IS_FATAL ANY)
    file(STRINGS "${FOLDER}/hash.h" ${result} REGEX "traceSources")
endmacro()

read_hash(before)
if(NOT before MATCHES "0x[0-9a-f]+ULL")
    message(FATAL_ERROR "no hash in the header: ${before}")
endif()
file(APPEND "${FOLDER}/core/findings/rules.cpp" "\n// no part of a trace\n")
read_hash(same)
if(NOT before STREQUAL same)
    message(FATAL_ERROR "a rule changed the hash of what makes a trace")
endif()
set(last "${before}")
foreach(file import/importers/cuda_kernels.cpp load/complete_trace.cpp derive/links.cpp store/table_builder.cpp cache/trace_archive.cpp)
    file(APPEND "${FOLDER}/core/${file}" "\n// corrected\n")
    read_hash(now)
    if(now STREQUAL last)
        message(FATAL_ERROR "a change in core/${file} leaves kept traces valid")
    endif()
    set(last "${now}")
endforeach()
file(REMOVE_RECURSE "${FOLDER}")
