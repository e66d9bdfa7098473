"""DTU §4.2, Table 4.1: three lines of a tale as counts of word stems, and how alike they are.

Left: the term–document matrix, stop words dropped and endings stripped; it is the printed table. Right: cosines of the
three lines as the words are prepared more and more. With all words the second and the third are most alike, for they
share *the* and *to*. Without stop words one pair is left, by its princess; stems show that the first line also shares
its horse with the third; and weights by rarity make both count less, for what is shared is the less rare.
"""

import numpy as np
from _figure import BLUE, INK, figure, save

from suffice.prepare import TfidfTransformer, term_document
from suffice.similarity import cosine

LINES = (
    '"I shall win the Princess!" they both said, as their father gave each one of them a beautiful horse.',
    "\"To the King's court, to woo the Princess.",
    "All the servants assembled in the courtyard to watch them mount their horses,",
)
table = term_document(LINES, stop_words="english", stem="english")
ways = {
    "all words": term_document(LINES).counts,
    "without stop words": term_document(LINES, stop_words="english").counts,
    "stems": table.counts,
    "stems, weighted by rarity": TfidfTransformer().fit_transform(table.counts),
}

fig, (left, right) = figure(1, 2, size=(13, 4.2), width_ratios=(1.7, 1))
counts = table.counts.toarray()
left.imshow(counts, cmap="Blues", vmin=0, vmax=2.5, aspect="auto")
for (row, column), value in np.ndenumerate(counts):
    left.text(column, row, value, ha="center", va="center", color=INK)
left.set_xticks(range(len(table.terms)), table.terms, rotation=45, ha="right")
left.set_yticks(range(3), ["d₁", "d₂", "d₃"])
left.set_title("Terms of three documents")
left.grid(visible=False)

pairs = {"d₁ and d₂": (0, 1), "d₁ and d₃": (0, 2), "d₂ and d₃": (1, 2)}
for offset, (way, X) in enumerate(ways.items()):
    alike = cosine(X)
    heights = [alike[pair] for pair in pairs.values()]
    right.bar(
        np.arange(3) + 0.2 * (offset - 1.5),
        heights,
        0.18,
        color=BLUE,
        alpha=(0.2, 0.4, 0.7, 1)[offset],
        label=way,
    )
right.set_xticks(range(3), list(pairs))
right.set(title="Cosine of documents", ylim=(0, 0.75))
right.legend(loc="upper right")
save(fig, __file__)
