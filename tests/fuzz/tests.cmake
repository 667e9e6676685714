# Short runs of the fuzzer, of extremes, of the search for credentials, of the faults; README.md says how to run long ones.
if(WARPLINE_PYTHON)
    set(reports ${CMAKE_CURRENT_LIST_DIR}/../data)
    set(mutants 1300) # two minutes on a full machine
    if(WARPLINE_SANITIZE)
        set(mutants 400)
    endif()
    if(TARGET warpline-fleet)
        set(fleet --fleet $<TARGET_FILE:warpline-fleet>)
    endif()
    add_test(NAME fuzz COMMAND ${WARPLINE_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/fuzz.py --program $<TARGET_FILE:warpline-cli> ${fleet}
        --seed 1 --mutants ${mutants} --patience 120 --finds ${CMAKE_CURRENT_BINARY_DIR}/fuzz-finds ${reports}/reports/um.sqlite
        ${reports}/reports/streams.sqlite ${reports}/reports/payload.sqlite ${reports}/reports/python_samples.sqlite
        ${reports}/pairs/grid_after.sqlite ${reports}/operators/mix.json.gz ${reports}/operators/recsys.json.gz)
    add_test(NAME extremes COMMAND ${WARPLINE_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/extremes.py ${CMAKE_CURRENT_BINARY_DIR}/extremes
        ${reports}/reports/streams.sqlite --program $<TARGET_FILE:warpline-cli>
        --only streams threads gpus null_streams nvtx_deep thirty_days ten_nanoseconds ten_nanoseconds_late)
    set_tests_properties(fuzz extremes PROPERTIES COST 1000 ENVIRONMENT LC_ALL=C.UTF-8) # they take longest: with others from the beginning
    set(others --keeper $<TARGET_FILE:stress-core> ${fleet})
    if(TARGET warpline)
        list(APPEND others --window $<TARGET_FILE:tst_app_window>)
    endif()
    add_test(NAME secrets COMMAND ${WARPLINE_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/secrets.py $<TARGET_FILE:warpline-cli>
        ${CMAKE_CURRENT_BINARY_DIR}/secrets ${reports}/reports/bert_fp32.sqlite ${reports}/operators/mix.json.gz
        ${reports}/reports/python_samples.sqlite ${reports}/reports/payload.sqlite ${others})
    set_tests_properties(secrets PROPERTIES ENVIRONMENT LC_ALL=C.UTF-8)
    # Faults below the program, and forbidden calls, only need Linux; sanitizers make calls of their own.
    if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT WARPLINE_SANITIZE)
        add_library(warpline-shim MODULE ${CMAKE_CURRENT_LIST_DIR}/shim.cpp)
        target_link_libraries(warpline-shim PRIVATE ${CMAKE_DL_LIBS})
        if(TARGET warpline)
            set_property(TEST tst_hanging_disk APPEND PROPERTY ENVIRONMENT "LD_PRELOAD=$<TARGET_FILE:warpline-shim>")
            set(viewer --viewer $<TARGET_FILE:warpline> --window $<TARGET_FILE:tst_app_window> --actions 30)
        endif()
        add_test(NAME faults COMMAND ${WARPLINE_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/faults.py $<TARGET_FILE:warpline-cli>
            ${reports}/reports/streams.sqlite ${CMAKE_CURRENT_BINARY_DIR}/faults --trace ${reports}/loops/item.json.gz
            ${viewer} --keeper $<TARGET_FILE:stress-core> --shim $<TARGET_FILE:warpline-shim> --kills 30 --commands 1
            --only kill keepers faulty hanging reads writes disk cache memory guard)
        set_tests_properties(faults PROPERTIES COST 1000 ENVIRONMENT LC_ALL=C.UTF-8)
    endif()
endif()
