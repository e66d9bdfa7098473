"""The report: `html` renders the page from `templates/`, `numbers` writes numbers for people."""
