# Reports of many ranks, for tests and measurements.
add_executable(make_ranks tools/make_ranks.cpp)
target_link_libraries(make_ranks PRIVATE SQLite::SQLite3)

# The built program, run as a process.
file(GLOB sources RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS app/tst_cli*.cpp app/tst_notebooks.cpp)
warpline_test_program(tst_app_cli SOURCES ${sources} LIBRARIES warpline_core SQLite::SQLite3)
add_dependencies(tst_app_cli warpline-cli make_ranks)
target_compile_definitions(tst_app_cli PRIVATE
    WARPLINE_CLI="$<TARGET_FILE:warpline-cli>"
    WARPLINE_MAKE_RANKS="$<TARGET_FILE:make_ranks>"
    WARPLINE_FLEET_PROGRAM="$<$<TARGET_EXISTS:warpline-fleet>:$<TARGET_FILE:warpline-fleet>>")
if(TARGET warpline-fleet)
    add_dependencies(tst_app_cli warpline-fleet)
endif()

if(WARPLINE_GUI)
    file(GLOB window RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS app/tst_*.cpp)
    list(APPEND window support/shown_texts.cpp)
    list(REMOVE_ITEM window ${sources})
    warpline_test_program(tst_app_window SOURCES ${window} LIBRARIES warpline_window SQLite::SQLite3)
    add_dependencies(tst_app_window warpline)
endif()

# Output matches its schema.
find_program(WARPLINE_PYTHON python3 HINTS /usr/bin)
if(WARPLINE_PYTHON)
    add_test(NAME cli_schemas COMMAND ${WARPLINE_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/check_schemas.py
        $<TARGET_FILE:warpline-cli> ${PROJECT_SOURCE_DIR}/docs/cli/schema ${PROJECT_SOURCE_DIR}/tests/data/reports
        ${PROJECT_SOURCE_DIR}/tests/data/operators)
    set_tests_properties(cli_schemas PROPERTIES SKIP_RETURN_CODE 77)
endif()

add_test(NAME layering COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -P ${CMAKE_CURRENT_LIST_DIR}/../layering.cmake)
add_test(NAME trace_sources COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/trace_sources
    -P ${CMAKE_CURRENT_LIST_DIR}/../trace_sources.cmake)
