"""Thirty short notes of three topics, written for this library, where the texts print no documents."""

NOTES = {
    "bread": (
        "Knead the dough for ten minutes and let it rest under a cloth.",
        "The crust cracks when the oven is too cold or the loaf too wet.",
        "Rye flour drinks more water than wheat flour does.",
        "My sourdough rises slowly in winter, so I keep it near the stove.",
        "Bake the loaf at a high heat first, then turn the oven down.",
        "Too much yeast makes a loaf that rises fast and tastes of little.",
        "Salt slows the yeast; add it after the flour has met the water.",
        "She slashed the dough with a razor before it went into the oven.",
        "A stone in the oven gives the bread a crisp base.",
        "Old bread makes good crumbs: dry the slices and grate them.",
    ),
    "bicycle": (
        "The chain slips on the small sprocket when I climb.",
        "Oil the chain, wipe it dry, and check the brake cables.",
        "A flat tyre in the rain: I forgot the pump at home.",
        "Turn each spoke by a quarter and spin the wheel to see it run true.",
        "The brakes squeal when the rims are wet.",
        "Her saddle was too low, so her knees hurt on long rides.",
        "He rides to work in winter with lights on both wheels.",
        "New tyres roll fast but the old wheel still wobbles.",
        "Shift down before the climb, or the chain will jump.",
        "I carry a pump, two levers and a spare tube on every ride.",
    ),
    "garden": (
        "Prune the roses when the last frost is over.",
        "Lavender likes sand and sun and little water.",
        "Slugs ate the lettuce again; I found their trails on the leaves.",
        "Water the beds in the evening, when the soil is cool.",
        "The compost warms up as the leaves rot; turn it each week.",
        "Tomatoes want sun, a stake, and soil that never dries out.",
        "She planted bulbs in autumn for flowers in spring.",
        "Clay soil holds water; dig in sand before planting roses.",
        "Cut the hedge after the birds have left their nests.",
        "Seeds need warm soil, so wait until the nights are mild.",
    ),
}


def notes() -> tuple[list[str], list[str]]:
    """The notes and their topics."""
    return [note for some in NOTES.values() for note in some], [t for t, some in NOTES.items() for _ in some]
