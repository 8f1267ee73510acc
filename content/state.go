package content

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"io"
)

// State is what a folder held when it was read, good or bad: as long as it is the
// same, reading the folder again leads to the same content, or the same faults.
type State [sha256.Size]byte

// revisionDigits is how many hexadecimal digits tell the states of a folder apart.
const revisionDigits = 16

// Revision is a short name of the state. It is the same wherever the same files
// are read.
func (s State) Revision() string { return hex.EncodeToString(s[:])[:revisionDigits] }

// reading sums up what is read of a folder.
type reading struct {
	sum   hash.Hash
	total int64 // bytes
}

func newReading() *reading { return &reading{sum: sha256.New()} }

// add notes a file with what was read of it, and returns how much has been read of
// the folder. A nil reading notes nothing.
func (r *reading) add(name string, data []byte) (total int64) {
	if r == nil {
		return int64(len(data))
	}
	r.write([]byte(name))
	r.write(data)
	r.total += int64(len(data))
	return r.total
}

// write adds bytes with their length, so that none can pass for those of a
// neighbour.
func (r *reading) write(data []byte) {
	r.sum.Write(binary.BigEndian.AppendUint64(nil, uint64(len(data))))
	r.sum.Write(data)
}

// state is complete when all is read. The faults are a part of it: a file that is
// missing, or cannot be opened, leaves no bytes.
func (l *loader) state() (state State) {
	_, _ = io.WriteString(l.read.sum, l.faults.Error())
	l.read.sum.Sum(state[:0])
	return state
}
