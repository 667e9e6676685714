add_library(warpline_test_support STATIC support/report_fixture.cpp)
target_include_directories(warpline_test_support PUBLIC ${PROJECT_SOURCE_DIR})
target_compile_definitions(warpline_test_support PRIVATE
    WARPLINE_SHARED_REPORTS="${PROJECT_SOURCE_DIR}/../shared/reports")
target_link_libraries(warpline_test_support PUBLIC warpline_core Qt6::Test PRIVATE SQLite::SQLite3)

warpline_test(tst_large_blocks SOURCES core/base/tst_large_blocks.cpp LIBRARIES warpline_core)
warpline_test(tst_job_runner SOURCES core/base/tst_job_runner.cpp LIBRARIES warpline_core)
warpline_test(tst_load_report SOURCES core/load/tst_load_report.cpp LIBRARIES warpline_test_support SQLite::SQLite3)
warpline_test(tst_stopping SOURCES core/stats/tst_stopping.cpp LIBRARIES warpline_test_support)
warpline_test(tst_hostile_numbers SOURCES core/load/tst_hostile_numbers.cpp LIBRARIES warpline_test_support)
warpline_test(tst_duration_text SOURCES core/base/tst_duration_text.cpp LIBRARIES warpline_core)
warpline_test(tst_platform SOURCES core/base/tst_platform.cpp LIBRARIES warpline_core)
warpline_test(tst_report_files SOURCES core/load/tst_report_files.cpp LIBRARIES warpline_test_support)
warpline_test(tst_report_formats SOURCES core/load/tst_report_formats.cpp LIBRARIES warpline_test_support)
warpline_test(tst_row_order SOURCES core/load/tst_row_order.cpp LIBRARIES warpline_test_support SQLite::SQLite3)
warpline_test(tst_importers SOURCES core/import/tst_importers.cpp LIBRARIES warpline_test_support)
warpline_test(tst_page_rows SOURCES core/sqlite/tst_page_rows.cpp support/random_database.cpp
    LIBRARIES warpline_test_support SQLite::SQLite3)
warpline_test(tst_sql_session SOURCES core/sql/tst_sql_session.cpp LIBRARIES warpline_core SQLite::SQLite3)
warpline_test(tst_time_tree SOURCES core/timetree/tst_time_tree.cpp LIBRARIES warpline_core SQLite::SQLite3)
warpline_test(tst_event_export SOURCES core/export/tst_event_export.cpp LIBRARIES warpline_core)
warpline_test(tst_cut_report SOURCES core/cut/tst_cut_report.cpp LIBRARIES warpline_core SQLite::SQLite3)
warpline_test(tst_python_stacks SOURCES core/import/tst_python_stacks.cpp LIBRARIES warpline_test_support)
warpline_test(tst_nvtx_payloads SOURCES core/import/tst_nvtx_payloads.cpp LIBRARIES warpline_test_support)
warpline_test(tst_trace_cache SOURCES core/cache/tst_trace_cache.cpp LIBRARIES warpline_test_support)
warpline_test(tst_event_table SOURCES core/store/tst_event_table.cpp LIBRARIES warpline_test_support)
warpline_test(tst_table_types SOURCES core/store/tst_table_types.cpp LIBRARIES warpline_core)
warpline_test(tst_intervals SOURCES core/coverage/tst_intervals.cpp LIBRARIES warpline_test_support)
warpline_test(tst_packed_intervals SOURCES core/coverage/tst_packed_intervals.cpp LIBRARIES warpline_core)
warpline_test(tst_event_list SOURCES core/query/tst_event_list.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_test_support)
warpline_test(tst_name_book SOURCES core/query/tst_name_book.cpp LIBRARIES warpline_test_support)
warpline_test(tst_row_walk SOURCES core/query/tst_row_walk.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_core)
warpline_test(tst_link_chain SOURCES core/query/tst_link_chain.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_test_support)
warpline_test(tst_name_forms SOURCES core/kernels/tst_name_forms.cpp LIBRARIES warpline_core)
warpline_test(tst_regular_expression SOURCES core/base/tst_regular_expression.cpp LIBRARIES warpline_core)
warpline_test(tst_read_real SOURCES core/base/tst_read_real.cpp LIBRARIES warpline_core)
warpline_test(tst_near_names SOURCES core/base/tst_near_names.cpp LIBRARIES warpline_core)
warpline_test(tst_helper_threads SOURCES core/steps/tst_helper_threads.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_core)
warpline_test(tst_filter SOURCES core/filter/tst_filter.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_test_support SQLite::SQLite3)
warpline_test(tst_named_events SOURCES core/query/tst_named_events.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_test_support SQLite::SQLite3)
warpline_test(tst_range_stats SOURCES core/query/tst_range_stats.cpp LIBRARIES warpline_test_support)
warpline_test(tst_gpu_times SOURCES core/coverage/tst_gpu_times.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_test_support)
warpline_test(tst_process_rows SOURCES core/rows/tst_process_rows.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_test_support)
warpline_test(tst_json_value SOURCES core/kineto/tst_json_value.cpp LIBRARIES warpline_core)
warpline_test(tst_kineto_traces SOURCES core/kineto/tst_kineto_traces.cpp LIBRARIES warpline_core ZLIB::ZLIB)
warpline_test(tst_kineto_links SOURCES core/kineto/tst_kineto_links.cpp LIBRARIES warpline_core ZLIB::ZLIB)
warpline_test(tst_kineto_accelerators SOURCES core/kineto/tst_kineto_accelerators.cpp LIBRARIES warpline_core ZLIB::ZLIB)
warpline_test(tst_kineto_twins SOURCES core/kineto/tst_kineto_twins.cpp LIBRARIES warpline_core)
warpline_test(tst_torch_ops SOURCES core/stats/tst_torch_ops.cpp LIBRARIES warpline_core ZLIB::ZLIB)
warpline_test(tst_nsys_rules SOURCES core/findings/tst_nsys_rules.cpp LIBRARIES warpline_test_support)
warpline_test(tst_checklist SOURCES core/findings/tst_checklist.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_test_support)
warpline_test(tst_rules SOURCES core/findings/tst_rules.cpp core/findings/drawn_program.cpp
    core/findings/rule_cases_copies.cpp core/findings/rule_cases_idle.cpp core/findings/rule_cases_kernels.cpp
    core/findings/rule_cases_program.cpp core/findings/rule_cases_memory.cpp LIBRARIES warpline_core)
warpline_test(tst_rule_savings SOURCES core/findings/tst_rule_savings.cpp core/findings/drawn_program.cpp
    core/findings/rule_cases_copies.cpp core/findings/rule_cases_idle.cpp core/findings/rule_cases_kernels.cpp
    core/findings/rule_cases_program.cpp core/findings/rule_cases_memory.cpp LIBRARIES warpline_core)
warpline_test(tst_fair_findings SOURCES core/findings/tst_fair_findings.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_test_support)
warpline_test(tst_figures_agree SOURCES core/findings/tst_figures_agree.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_core)
warpline_test(tst_told_figures SOURCES core/findings/tst_told_figures.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_core)
warpline_test(tst_rules_on_reports SOURCES core/findings/tst_rules_on_reports.cpp LIBRARIES warpline_test_support)
warpline_test(tst_advice_on_reports SOURCES core/findings/tst_advice_on_reports.cpp LIBRARIES warpline_test_support)
warpline_test(tst_nvtx_around SOURCES core/stats/tst_nvtx_around.cpp LIBRARIES warpline_core)
warpline_test(tst_stats_golden SOURCES core/stats/tst_stats_golden.cpp core/stats/golden.cpp LIBRARIES warpline_core)
warpline_test(tst_stats_documented SOURCES core/stats/tst_stats_documented.cpp LIBRARIES warpline_test_support)
warpline_test(tst_stats_sql SOURCES core/stats/tst_stats_sql.cpp core/stats/sql_oracles.cpp
    LIBRARIES warpline_test_support)
warpline_test(tst_stats_printed SOURCES core/stats/tst_stats_printed.cpp LIBRARIES warpline_test_support)
warpline_test(tst_stats_tables SOURCES core/stats/tst_stats_tables.cpp LIBRARIES warpline_core)
warpline_test(tst_step_breakdown SOURCES core/stats/tst_step_breakdown.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_core)
warpline_test(tst_class_tables SOURCES core/stats/tst_class_tables.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_test_support)
warpline_test(tst_duration_summary SOURCES core/stats/tst_duration_summary.cpp LIBRARIES warpline_core)
warpline_test(tst_cells_text SOURCES core/stats/tst_cells_text.cpp LIBRARIES warpline_core)
warpline_test(tst_compare_parts SOURCES core/compare/tst_compare_parts.cpp LIBRARIES warpline_core)
warpline_test(tst_compare_pairs SOURCES core/compare/tst_compare_pairs.cpp LIBRARIES warpline_core)
warpline_test(tst_compare_reports SOURCES core/compare/tst_compare_reports.cpp LIBRARIES warpline_test_support)
warpline_test(tst_compare_runs SOURCES core/compare/tst_compare_runs.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_core)
warpline_test(tst_kernel_names SOURCES core/kernels/tst_kernel_names.cpp LIBRARIES warpline_test_support)
warpline_test(tst_edge_budgets SOURCES core/budget/tst_edge_budgets.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_test_support)
warpline_test(tst_overview_elementwise SOURCES core/overview/tst_overview_elementwise.cpp
    core/findings/drawn_program.cpp LIBRARIES warpline_test_support)
warpline_test(tst_gpu_budget SOURCES core/budget/tst_gpu_budget.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_test_support)
warpline_test(tst_honest_bounds SOURCES core/findings/tst_honest_bounds.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_test_support)
warpline_test(tst_call_facts SOURCES core/query/tst_call_facts.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_test_support)
warpline_test(tst_os_call_words SOURCES core/glossary/tst_os_call_words.cpp LIBRARIES warpline_core)
warpline_test(tst_idle_range SOURCES core/findings/tst_idle_range.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_test_support)
warpline_test(tst_finding_words SOURCES core/findings/tst_finding_words.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_test_support)
warpline_test(tst_nvtx_projection SOURCES core/derive/tst_nvtx_projection.cpp core/findings/drawn_program.cpp LIBRARIES warpline_core)
warpline_test(tst_stream_waits SOURCES core/derive/tst_stream_waits.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_test_support)
warpline_test(tst_fill_tables SOURCES core/stats/tst_fill_tables.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_test_support)
warpline_test(tst_gpu_counters SOURCES core/derive/tst_gpu_counters.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_test_support)
warpline_test(tst_graph_captures SOURCES core/query/tst_graph_captures.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_test_support)
warpline_test(tst_metric_tables SOURCES core/stats/tst_metric_tables.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_test_support)
warpline_test(tst_critical_path SOURCES core/budget/tst_critical_path.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_test_support)
warpline_test(tst_kernel_classes SOURCES core/kernels/tst_kernel_classes.cpp LIBRARIES warpline_test_support)
warpline_test(tst_gpu_steps SOURCES core/steps/tst_gpu_steps.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_test_support)
warpline_test(tst_level_change SOURCES core/steps/tst_level_change.cpp LIBRARIES warpline_core)
warpline_test(tst_steps SOURCES core/steps/tst_steps.cpp LIBRARIES warpline_test_support)
warpline_test(tst_collective_slowdown SOURCES core/findings/tst_collective_slowdown.cpp
    LIBRARIES warpline_test_support)
warpline_test(tst_joined_cells SOURCES core/table/tst_joined_cells.cpp LIBRARIES warpline_core)
warpline_test(tst_search_reports SOURCES core/workspace/tst_search_reports.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_test_support)
warpline_test(tst_row_pairs SOURCES core/workspace/tst_row_pairs.cpp core/findings/drawn_program.cpp LIBRARIES warpline_core)
warpline_test(tst_ncu_command SOURCES core/findings/tst_ncu_command.cpp LIBRARIES warpline_test_support warpline_core)
warpline_test(tst_view_file SOURCES core/handover/tst_view_file.cpp LIBRARIES warpline_core)
warpline_test(tst_report_set SOURCES core/workspace/tst_report_set.cpp LIBRARIES warpline_core)
warpline_test(tst_workspace SOURCES core/workspace/tst_workspace.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_core)
warpline_test(tst_across SOURCES core/across/tst_across.cpp core/across/drawn_run.cpp LIBRARIES warpline_core)
warpline_test(tst_across_reports SOURCES core/across/tst_across_reports.cpp core/across/drawn_run.cpp
    LIBRARIES warpline_test_support)
warpline_test(tst_summary_bytes SOURCES core/across/tst_summary_bytes.cpp core/across/drawn_run.cpp
    LIBRARIES warpline_core)
warpline_test(tst_program_kind SOURCES core/findings/tst_program_kind.cpp LIBRARIES warpline_test_support)
warpline_test(tst_overview SOURCES core/overview/tst_overview.cpp core/findings/drawn_program.cpp
    LIBRARIES warpline_test_support nlohmann_json::nlohmann_json)
warpline_test(tst_glossary SOURCES core/glossary/tst_glossary.cpp LIBRARIES warpline_core)
