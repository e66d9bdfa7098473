"""What files call classes that have another name by now: older files load, and older versions read newer ones."""

from __future__ import annotations

STORED_AS: dict[str, str] = {
    "_components.ColumnNormalSums": "_components.ColumnSums",
    "_components.IdentityShape": "_components.Identity",
    "_components.RowsWithGaps": "_components.Given",
    "cli.GalleryScript": "cli.Script",
    "engine.MemoryPart": "engine.Here",
    "engine.PartOutcome": "engine.Outcome",
    "engine.PassResult": "engine.Seen",
    "engine.RowsFingerprint": "engine.Fingerprint",
    "engine.SampledRows": "engine.Sample",
    "evaluation.AreaMoments": "evaluation.Moments",
    "evaluation.CandidateLine": "evaluation.Line",
    "evaluation.FoldMean": "evaluation.Measured",
    "evaluation.HeldOutFolds": "evaluation.Held",
    "evaluation.ScaledPowers": "evaluation.Powers",
    "evaluation.ScoreTally": "evaluation.Tally",
    "evaluation.SimulatedSets": "evaluation.Sample",
    "evaluation.SubsetsFound": "evaluation.Found",
    "evaluation.ValidationTable": "evaluation.Table",
    "mixtures.DrawingPlan": "mixtures.Plan",
    "mixtures.ExpectedSums": "mixtures.Expectation",
    "mixtures.GibbsProblem": "mixtures.Problem",
    "mixtures.GroupSample": "mixtures.Sample",
    "mixtures.MixtureCandidate": "mixtures.Candidate",
    "mixtures.MixtureTrial": "mixtures.Trial",
    "mixtures.WeightedTable": "mixtures.Table",
}
