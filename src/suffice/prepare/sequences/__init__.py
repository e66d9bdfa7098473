"""Series to tables: lags, calendars, trends, even steps. Names are public in `suffice.prepare`."""
