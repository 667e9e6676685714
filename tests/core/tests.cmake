# Shared by several test programs, compiled once.
set(shared support/report_fixture.cpp support/source_texts.cpp support/test_program.cpp core/across/drawn_run.cpp
    core/findings/drawn_program.cpp core/findings/rule_cases_copies.cpp core/findings/rule_cases_idle.cpp
    core/findings/rule_cases_kernels.cpp core/findings/rule_cases_memory.cpp core/findings/rule_cases_program.cpp)
add_library(warpline_test_support STATIC ${shared})
target_precompile_headers(warpline_test_support REUSE_FROM warpline_test_headers)
target_include_directories(warpline_test_support PUBLIC ${PROJECT_SOURCE_DIR})
target_include_directories(warpline_test_support SYSTEM PUBLIC # as views: where it lies beside the system's own, nothing is added
    $<TARGET_PROPERTY:nlohmann_json::nlohmann_json,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_definitions(warpline_test_support PRIVATE WARPLINE_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    WARPLINE_SHARED_REPORTS="${PROJECT_SOURCE_DIR}/../shared/reports")
target_link_libraries(warpline_test_support PUBLIC warpline_core Qt6::Test PRIVATE SQLite::SQLite3)

# The tests of each room of core are a program: tst_core_findings. A new test needs no edit here.
file(GLOB sources RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS core/*/*.cpp)
list(REMOVE_ITEM sources ${shared})
foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH room)
    list(APPEND rooms ${room})
    list(APPEND in_${room} ${source})
endforeach()
list(REMOVE_DUPLICATES rooms)
list(APPEND in_core/sqlite support/random_database.cpp)
foreach(room IN LISTS rooms)
    string(MAKE_C_IDENTIFIER tst_${room} program)
    warpline_test_program(${program} SOURCES ${in_${room}}
        LIBRARIES warpline_core SQLite::SQLite3 ZLIB::ZLIB ${WARPLINE_FMT} nlohmann_json::nlohmann_json)
endforeach()
