"""What users give of normal components, and what is to be said of those that were fitted."""
