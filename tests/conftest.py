"""Hypothesis profiles: `quick` (default), `ci` (the same examples every time), `thorough`.

Choose one with HYPOTHESIS_PROFILE.
"""

import os
from collections import defaultdict

import pytest
from hypothesis import HealthCheck, settings

_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("quick", max_examples=25, derandomize=True, database=None, **_COMMON)
settings.register_profile("ci", max_examples=40, derandomize=True, database=None, **_COMMON)
settings.register_profile("thorough", max_examples=1000, database=None, print_blob=True, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


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
}


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
        every, place = SAMPLED.get(item.path.stem, 4), seen[item.function]
        seen[item.function] += 1
        if place % every:
            item.add_marker(pytest.mark.slow)
