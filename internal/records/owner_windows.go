package records

// adoptOwner has nothing to do: on Windows a new file inherits the rights of its folder.
func adoptOwner(_, _ string) error { return nil }
