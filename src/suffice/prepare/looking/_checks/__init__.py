"""The checks of an audit: each takes what one look at the columns told, and yields findings."""
