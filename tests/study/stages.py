"""The steps of a study one by one, without the look at the table and the page."""

from suffice.study.models import chosen_candidates
from suffice.study.options import Options
from suffice.study.reading.problem import make_problem
from suffice.study.reading.source import read
from suffice.study.steps.compare import comparison_section
from suffice.study.steps.validate import validate_candidate


class Stage:
    """A problem, its trials and their comparison."""

    def __init__(self, table, target="y", models=None, **options):
        self.options = Options(target, models=models, references=False, **options)
        self.problem = make_problem(read(table, self.options.seed), self.options)
        candidates, _ = chosen_candidates(self.problem, models, False)
        self.trials = [validate_candidate(c, self.problem, self.options) for c in candidates]
        self.comparison, self.claims = comparison_section(self.trials, self.problem, self.options)

    @property
    def best(self):
        return self.of(self.comparison.best)

    def of(self, name):
        return next(t for t in self.trials if t.name == name)

    @property
    def given(self):
        """What most steps take."""
        return self.best, self.problem, self.options
