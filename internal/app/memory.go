package app

import "os"

// ballastSize is how many bytes of garbage may gather at the least before they are
// collected. Go's own rule is as much as what is alive, and of a small service so
// little is alive that it would look through all of it many times a second.
const ballastSize = 16 << 20

// NewBallast returns memory that counts as alive and is never touched: it takes
// address space alone. A higher GOGC would do the same for a small service, but cost a
// large one a multiple of its memory. An operator who sets GOGC decides alone.
func NewBallast() []byte {
	if os.Getenv("GOGC") != "" {
		return nil
	}
	return make([]byte, ballastSize)
}
