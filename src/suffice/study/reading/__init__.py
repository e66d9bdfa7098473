"""From what the user has to what the models see: `source` reads a table, `problem` decides what each column does."""
