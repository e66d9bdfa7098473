"""Tables as they come: anything in memory as columns, what is required of it, and answers in the caller's kind.

cells.py      single cells: gaps, kinds, large whole numbers
columns.py    one column of any library as an array (`tidying.py`: in one form); `TableColumn`
frames.py     frames of pandas, polars and Arrow: names, rows, columns (`adapters.py`: what can be asked of any)
opening.py    anything in memory ─▶ `Table`
requiring.py  shapes and columns that a door demands; `typed.py`: one kind of cells per column
giving.py     tables in the kind of the caller's
"""
