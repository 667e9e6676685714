# The built program, run as a process.
function(warpline_cli_test name)
    warpline_test(${name} SOURCES ${ARGN} LIBRARIES warpline_test_support)
    target_compile_definitions(${name} PRIVATE WARPLINE_CLI="$<TARGET_FILE:warpline-cli>")
    add_dependencies(${name} warpline-cli)
endfunction()

warpline_cli_test(tst_cli app/tst_cli.cpp app/cli_runner.h)
warpline_cli_test(tst_cli_reports app/tst_cli_reports.cpp app/cli_runner.h)
warpline_cli_test(tst_cli_stats app/tst_cli_stats.cpp app/cli_runner.h)
warpline_cli_test(tst_cli_steps app/tst_cli_steps.cpp app/cli_runner.h)

add_test(NAME layering COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -P ${CMAKE_CURRENT_LIST_DIR}/../layering.cmake)
add_test(NAME trace_sources COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/trace_sources
    -P ${CMAKE_CURRENT_LIST_DIR}/../trace_sources.cmake)

if(WARPLINE_GUI)
    warpline_test(tst_main_window SOURCES app/tst_main_window.cpp LIBRARIES warpline_test_support warpline_window)
    add_dependencies(tst_main_window warpline)
    warpline_test(tst_desktop_session SOURCES app/tst_desktop_session.cpp LIBRARIES warpline_test_support warpline_window)
    warpline_test(tst_actions SOURCES app/tst_actions.cpp LIBRARIES warpline_test_support warpline_window)
    warpline_test(tst_report_converter SOURCES app/tst_report_converter.cpp LIBRARIES warpline_window)
    warpline_test(tst_preferences SOURCES app/tst_preferences.cpp LIBRARIES warpline_test_support warpline_window)
endif()
