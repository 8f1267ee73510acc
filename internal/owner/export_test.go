package owner

// Hash is what the pages with a token store of a key.
func Hash(token, key string) string { return (&Pages{Config: Config{Token: token}}).hash(key) }
