"""Tables as they come: anything in memory as columns, what is required of it, and answers in the caller's kind.

cells.py      single cells: gaps, kinds, large whole numbers
columns.py    one column of any library as an array; `TableColumn`
frames.py     frames of pandas, polars and Arrow: names, rows, columns
opening.py    anything in memory ─▶ `Table`
requiring.py  what a door demands; one sentence for each refusal
giving.py     tables in the kind of the caller's
"""
