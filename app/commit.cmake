# Writes HEADER with the commit that SOURCE is a checkout of, empty when it is none (an unpacked archive, also one that lies
# inside another project's checkout). Run at each build; the header changes only with the commit.
find_package(Git QUIET)
set(commit "")
if(GIT_EXECUTABLE)
    execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE} rev-parse --show-cdup
        OUTPUT_VARIABLE above OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE problem)
    if(problem EQUAL 0 AND above STREQUAL "")
        execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
            OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#pragma once\n#define WARPLINE_COMMIT \"${commit}\"\n")
