if(WARPLINE_GUI)
    warpline_test(tst_latest_job SOURCES views/tst_latest_job.cpp LIBRARIES warpline_views)
    warpline_test(tst_delayed_refresh SOURCES views/tst_delayed_refresh.cpp LIBRARIES warpline_views)
    warpline_test(tst_own_turn SOURCES views/tst_own_turn.cpp LIBRARIES warpline_test_support warpline_views)
    warpline_test(tst_session SOURCES views/tst_session.cpp LIBRARIES warpline_test_support warpline_views)
    warpline_test(tst_reports_together SOURCES views/tst_reports_together.cpp core/findings/drawn_program.cpp
        LIBRARIES warpline_test_support warpline_views)
    warpline_test(tst_timeline SOURCES views/tst_timeline.cpp LIBRARIES warpline_test_support warpline_views)
    warpline_test(tst_colors SOURCES views/tst_colors.cpp core/findings/drawn_program.cpp
        LIBRARIES warpline_test_support warpline_views)
    warpline_test(tst_event_walk SOURCES views/tst_event_walk.cpp core/findings/drawn_program.cpp
        LIBRARIES warpline_test_support warpline_views)
    warpline_test(tst_hover SOURCES views/tst_hover.cpp core/findings/drawn_program.cpp
        LIBRARIES warpline_test_support warpline_views)
    warpline_test(tst_rows SOURCES views/tst_rows.cpp core/findings/drawn_program.cpp
        LIBRARIES warpline_test_support warpline_views)
    warpline_test(tst_overview_strip SOURCES views/tst_overview_strip.cpp core/findings/drawn_program.cpp
        LIBRARIES warpline_test_support warpline_views)
    warpline_test(tst_counters SOURCES views/tst_counters.cpp core/findings/drawn_program.cpp
        LIBRARIES warpline_test_support warpline_views)
    warpline_test(tst_empty_states SOURCES views/tst_empty_states.cpp LIBRARIES warpline_test_support warpline_views)
    warpline_test(tst_measure SOURCES views/tst_measure.cpp LIBRARIES warpline_test_support warpline_views)
    warpline_test(tst_motion SOURCES views/tst_motion.cpp LIBRARIES warpline_test_support warpline_views)
    warpline_test(tst_panels SOURCES views/tst_panels.cpp LIBRARIES warpline_test_support warpline_views)
    warpline_test(tst_findings_panel SOURCES views/tst_findings_panel.cpp LIBRARIES warpline_test_support warpline_views)
    warpline_test(tst_long_table SOURCES views/tst_long_table.cpp LIBRARIES warpline_views)
    warpline_test(tst_tables SOURCES views/tst_tables.cpp LIBRARIES warpline_test_support warpline_views)
    warpline_test(tst_ranks_panel SOURCES views/tst_ranks_panel.cpp core/findings/drawn_program.cpp
        LIBRARIES warpline_test_support warpline_views)
    warpline_test(tst_rich_text SOURCES views/tst_rich_text.cpp LIBRARIES warpline_test_support warpline_views)
    warpline_test(tst_compare_panel SOURCES views/tst_compare_panel.cpp core/findings/drawn_program.cpp
        LIBRARIES warpline_test_support warpline_views)
    warpline_test(tst_budget_panel SOURCES views/tst_budget_panel.cpp core/findings/drawn_program.cpp
        LIBRARIES warpline_test_support warpline_views)
    warpline_test(tst_overview_panel SOURCES views/tst_overview_panel.cpp core/findings/drawn_program.cpp
        LIBRARIES warpline_test_support warpline_views)
    warpline_test(tst_name_panel SOURCES views/tst_name_panel.cpp core/findings/drawn_program.cpp
        LIBRARIES warpline_views)
    warpline_test(tst_stacks_panel SOURCES views/tst_stacks_panel.cpp LIBRARIES warpline_views)
    warpline_test(tst_marks SOURCES views/tst_marks.cpp LIBRARIES warpline_views)
    warpline_test(tst_sql_panel SOURCES views/tst_sql_panel.cpp LIBRARIES warpline_test_support warpline_views)
    warpline_test(tst_step_choice SOURCES views/tst_step_choice.cpp core/findings/drawn_program.cpp
        LIBRARIES warpline_test_support warpline_views)
    warpline_test(tst_steps_panel SOURCES views/tst_steps_panel.cpp core/findings/drawn_program.cpp
        LIBRARIES warpline_test_support warpline_views)
endif()
