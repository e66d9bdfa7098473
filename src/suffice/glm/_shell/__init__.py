"""What every model of this room shares: doors for labels and numbers, the fit from rows or a source, the report."""
