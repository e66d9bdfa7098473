"""Measurements of Suffice against its peers: `python -m benchmarks [--only NAME] [--quick]`.

`harness` times, weighs and counts digits; `rows` says what is measured; `report` writes it down.
"""
