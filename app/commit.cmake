# Writes HEADER with the commit that SOURCE is a checkout of. In an archive by `git archive`, git has put the commit in here;
# other archives leave it empty (also inside another project's checkout). Runs at each build; the header changes only with the
# commit.
set(archived "$Format:%H$")
find_package(Git QUIET)
set(commit "")
if(archived MATCHES "^[0-9a-f]+$")
    string(SUBSTRING ${archived} 0 12 commit)
elseif(GIT_EXECUTABLE)
    execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE} rev-parse --show-cdup
        OUTPUT_VARIABLE above OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE problem)
    if(problem EQUAL 0 AND above STREQUAL "")
        execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
            OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#pragma once\n#define WARPLINE_COMMIT \"${commit}\"\n")
