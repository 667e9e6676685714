# Fails when the house's one direction is broken. Run as: cmake -DROOT=<source tree> -P tests/layering.cmake
#   - nothing in core includes a Qt header or anything of views and app;
#   - <sqlite3.h> is included only in core/sqlite (and by tests, as an independent judge);
#   - a folder of core includes only itself and folders before it in the list;
#   - text is made of messages by who shows it: core/render is for core/export, and for what is listed;
#   - views include neither SQLite nor app, and a folder of views only itself and folders before it in its list.
cmake_minimum_required(VERSION 3.25)

if(NOT ROOT)
    get_filename_component(ROOT "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
endif()

# Lowest floor first.
set(order base files render glossary kernels sqlite store gpus import kineto rocprof cache derive coverage rows load steps filter query operators table sql cut workspace handover stats timetree replay findings budget overview across compare history export)
set(viewsOrder style loading session actions models timeline compare panels)

# Join what a finding says to a text of their own: to become messages, too.
set(readers core/compare/compare_findings.cpp core/findings/checklist_waits.cpp core/findings/kernel_judgement.cpp
    core/overview/overview.cpp core/overview/overview_sentences.cpp core/overview/overview_start.cpp)

set(problems 0)
macro(complain file text)
    file(RELATIVE_PATH shown "${ROOT}" "${file}")
    message(STATUS "${shown}: ${text}")
    math(EXPR problems "${problems} + 1")
endmacro()

# Sets `includes` to what `file` includes, without brackets and quotes.
macro(read_includes file)
    file(STRINGS "${file}" lines REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
    set(includes "")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^[^<\"]*[<\"]([^>\"]*)[>\"].*$" "\\1" included "${line}")
        list(APPEND includes "${included}")
    endforeach()
endmacro()

file(GLOB_RECURSE core "${ROOT}/core/*.h" "${ROOT}/core/*.cpp")
foreach(file IN LISTS core)
    file(RELATIVE_PATH name "${ROOT}/core" "${file}")
    string(REGEX REPLACE "/.*$" "" folder "${name}")
    list(FIND order "${folder}" place)
    if(place LESS 0)
        complain("${file}" "the folder is not in the list of tests/layering.cmake")
    endif()
    read_includes("${file}")
    foreach(included IN LISTS includes)
        if(included MATCHES "^Q[A-Z]" OR included MATCHES "^Qt" OR included MATCHES "^(views|app)/")
            complain("${file}" "core must not include ${included}")
        elseif(included STREQUAL "sqlite3.h" AND NOT folder STREQUAL "sqlite")
            complain("${file}" "only core/sqlite may include sqlite3.h")
        elseif(included MATCHES "^core/render/" AND NOT folder MATCHES "^(render|export)$" AND NOT "core/${name}" IN_LIST readers)
            complain("${file}" "only core/export may make text of messages")
        elseif(included MATCHES "^core/([a-z]+)/")
            list(FIND order "${CMAKE_MATCH_1}" target)
            if(target GREATER place)
                complain("${file}" "core/${folder} must not include ${included}, which comes after it")
            endif()
        endif()
    endforeach()
endforeach()

file(GLOB_RECURSE views "${ROOT}/views/*.h" "${ROOT}/views/*.cpp")
foreach(file IN LISTS views)
    file(RELATIVE_PATH name "${ROOT}/views" "${file}")
    string(REGEX REPLACE "/.*$" "" folder "${name}")
    list(FIND viewsOrder "${folder}" place)
    if(place LESS 0)
        complain("${file}" "the folder is not in the list of tests/layering.cmake")
    endif()
    read_includes("${file}")
    foreach(included IN LISTS includes)
        if(included STREQUAL "sqlite3.h" OR included MATCHES "^core/sqlite/" OR included MATCHES "^app/")
            complain("${file}" "views must not include ${included}")
        elseif(included MATCHES "^views/([a-z]+)/")
            list(FIND viewsOrder "${CMAKE_MATCH_1}" target)
            if(target GREATER place)
                complain("${file}" "views/${folder} must not include ${included}, which comes after it")
            endif()
        endif()
    endforeach()
endforeach()

# The map in core/README.md has the rooms of the list, the highest first.
file(STRINGS "${ROOT}/core/README.md" lines REGEX "^    (core       |           )[a-z]+  +[^ ]")
set(map "")
foreach(line IN LISTS lines)
    string(REGEX REPLACE "^    (core       |           )([a-z]+).*$" "\\2" room "${line}")
    list(PREPEND map "${room}")
endforeach()
if(NOT map STREQUAL order)
    complain("${ROOT}/core/README.md" "the map of rooms is not the list of tests/layering.cmake: ${map}")
endif()

# The command line runs where there is no Qt.
file(GLOB cli "${ROOT}/app/cli_*.h" "${ROOT}/app/cli_*.cpp")
foreach(file IN LISTS cli)
    read_includes("${file}")
    foreach(included IN LISTS includes)
        if(included MATCHES "^Q[A-Z]" OR included MATCHES "^Qt" OR included MATCHES "^views/" OR included STREQUAL "sqlite3.h")
            complain("${file}" "the command line must not include ${included}")
        endif()
    endforeach()
endforeach()

list(LENGTH core coreFiles)
if(coreFiles EQUAL 0)
    message(FATAL_ERROR "no sources below ${ROOT}/core")
endif()
if(problems GREATER 0)
    message(FATAL_ERROR "${problems} includes break the layering")
endif()
list(LENGTH views viewsFiles)
message(STATUS "${coreFiles} files of core and ${viewsFiles} of views keep the layering")
