if(WARPLINE_GUI)
    file(GLOB sources RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS views/tst_*.cpp)
    warpline_test_program(tst_views SOURCES ${sources} LIBRARIES warpline_views)
endif()
