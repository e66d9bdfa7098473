"""Hypothesis profiles: `same` (the default: the same examples every time), `thorough`.

Choose one with HYPOTHESIS_PROFILE.
"""

import gc
import os
from collections import defaultdict

import pytest
from hypothesis import HealthCheck, settings

_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("same", max_examples=25, derandomize=True, database=None, **_COMMON)
settings.register_profile("thorough", max_examples=1000, database=None, print_blob=True, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


# A quick run takes a sample of the cases of a test: the first of every four, or of so many. `make test` takes all.
SAMPLED = {
    "test_fast_is_refit": 12,
    "test_pipelines": 12,
    "test_search": 12,
    "test_selection": 12,
    "test_two_layer": 12,
    "test_learning": 12,
    "test_bad_folds": 4,
    "test_last_value": 6,
    "test_sklearn": 4,
    "test_bad_input": 6,
    "test_contract": 3,
    "test_distributions": 6,
    "test_multivariate": 4,
    "test_conjugacy": 3,
    "test_conformance": 2,
    "test_sources": 6,
    "test_columns": 4,
    "test_opening": 4,
    "test_scores": 4,
    "test_calibration": 4,
    "test_resampling": 4,
    "test_coverage_of_intervals": 3,
    "test_type_one_error": 3,
    "test_measure_coverage": 3,
    "test_comparisons_oracle": 3,
}


# Cases that take seconds and have a shorter one of their kind in `make test`: they run in `make test-long`.
LEFT_TO_LONG = {
    "test_ctrl_c_ends_at_once_and_leaves_no_worker[False]",
    "test_a_part_that_kills_its_workers_is_named[1]",
    "test_one_process_gives_the_bits_of_one_thread",
    "test_a_part_that_kills_worker_after_worker",
    "test_two_workers_elsewhere_count_the_same",
    "test_evidence_and_predictive_by_quadrature[Dirichlet, Categorical]",
    "test_cross_validation_estimates_the_error_of_smaller_training_sets[2]",
    "test_the_same_splits_make_differences_sharper",
    "test_a_linear_smoother_has_known_bias_and_variance[polynomial]",
    "test_bootstrap_variance_is_the_variance_of_the_fit",
    "test_a_huge_row_group_is_read_in_batches[True]",
    "test_settings_alternate_and_one_thread_means_one",
    "test_any_number_of_jobs",
    "test_two_maps_at_a_time",
    "test_a_map_that_is_left_early_disturbs_no_other",
    "test_workers_leave_when_their_parent_is_killed",
    "test_a_worker_that_is_killed_is_not_missed",
    "test_an_error_while_adding_stops_the_workers",
    "test_wine_with_a_fifth_of_its_cells_missing[0]",
    "test_the_end_is_a_stationary_point[QuadraticDiscriminantAnalysis]",
    "test_searches_within_two_layers_are_refits",
    "test_kills_at_random_moments_give_right_results_each_time[3]",
    "test_large_items_and_large_results_do_not_block_each_other",
    "test_every_way_with_more_columns",
    "test_wine_with_a_fifth_of_its_cells_missing[1]",
    "test_a_direct_optimizer_finds_the_same[QuadraticDiscriminantAnalysis]",
    "test_predictive_intervals_cover[0.5]",
    "test_columns_as_dependent_as_the_promise_allows[1]",
    "test_columns_as_dependent_as_the_promise_allows[2]",
    "test_batches_are_one_table[evidence-inference1]",
    # ranks of the same posterior: "origin" stays, and the calibration of every posterior has the other two
    "test_posterior_ranks_are_uniform[prior]",
    "test_posterior_ranks_are_uniform[general]",
    # the same simulation with another number of rows, or another penalty
    "test_evidence_peaks_at_the_true_order[50-93]",
    "test_coverage_with_precisions_by_evidence[30-0.938-0.932]",
    "test_simulated_bias_and_variance_are_those_of_the_linear_map[0.05]",
    # inner folds of one row: those of "ridge" stay, and folds of two rows for all
    "test_training_rows_drawn_again[orders-one out]",
    "test_training_rows_drawn_again[theirs-one out]",
    # passes of processes are tested with folds that climb; the ways of the script one by one, and by docs/
    "test_processes_give_the_fit_of_arrays",
    "test_every_way_prints_the_same_weights",
}


# Tests of about half a second and more that `make quick` can do without; `make test` runs them.
LEFT_OUT_OF_QUICK = {
    "test_a_client_that_does_not_wait_is_refused",
    "test_processes_give_the_bits_of_one_thread",
    "test_workers_stay_for_the_block_and_are_other_processes",
    "test_a_file_from_end_to_end",
    "test_leaving_out_nearly_gets_exact_with_more_rows",
    "test_effective_parameters_are_the_trace_of_the_derivative",
    "test_as_many_folds_as_rows_is_leave_one_out",
    "test_the_evidence_of_logistic_regression_in_two_dimensions",
    "test_the_page_needs_nothing_else_and_runs_nothing",
    "test_the_end_is_a_stationary_point",
    "test_laws_of_the_curve",
    "test_refinement_follows_a_slanted_valley",
    "test_the_score_of_a_density_is_its_integral",
    "test_parquet_and_batches_give_the_same_bits",
    "test_the_same_columns_as_scikit_learn",
    "test_training_loss_never_rises_and_likelihood_never_falls_with_the_order",
    "test_statsmodels_has_the_same_numbers",
    "test_error_foretells_the_error_on_new_data",
    "test_the_distance_from_uniformity_is_covered",
    "test_uniformity_keeps_its_level",
    "test_labels_from_counts_are_refits",
    "test_l3_a_good_prior_helps_when_there_are_few_rows",
    "test_batches_are_one_table",
    "test_a_bundled_set_in_the_default_folder",
    "test_from_files_and_batches",
    "test_the_boundary_of_two_normals",
    "test_odd_scores_are_drawn",
    "test_many_classes_keep_apart",
    "test_drawn_functions_and_data_sets_have_the_predictive_moments",
    "test_stiff_models_are_biased_and_flexible_ones_vary",
    "test_curves_are_the_tables_at_each_threshold",
    "test_svg_is_the_same_on_every_run_and_opens_no_window",
    "test_sequential_evidence_is_evidence_at_once",
    "test_refinement_reaches_the_minimum_and_never_climbs",
    "test_simulation_based_calibration_of_mean_and_precision",
    "test_random_folds_without_padding_are_too_optimistic",
    "test_conjugate_evidence_is_an_integral_over_the_precision",
    "test_in_a_pipeline_and_a_search",
    "test_cell_heldout",
}


gc.disable()  # twenty thousand tests are collected, and the collector would look through them again and again


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop():
    """Tests stay until the end: the collector need not look at them."""
    gc.enable()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    seen = defaultdict(int)
    for item in items:
        if item.name in LEFT_TO_LONG:
            item.add_marker("long")
    for item in items:
        if (
            not isinstance(item, pytest.Function)
            or item.get_closest_marker("slow")
            or item.get_closest_marker("long")
        ):
            continue
        if item.originalname in LEFT_OUT_OF_QUICK:
            item.add_marker(pytest.mark.slow)
            continue
        every, place = SAMPLED.get(item.path.stem, 4), seen[item.function]
        seen[item.function] += 1
        if place % every:
            item.add_marker(pytest.mark.slow)
