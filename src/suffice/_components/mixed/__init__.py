"""Tables whose columns are of different kinds: what their cells stand for, and which components produce them."""
