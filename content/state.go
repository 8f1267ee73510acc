package content

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"io"
)

// State is a digest of everything that was read of a folder. While it stays the same,
// reading the folder again gives the same content or the same faults.
type State [sha256.Size]byte

// revisionDigits is how many hexadecimal digits of a state its revision has.
const revisionDigits = 16

// Revision is a short name of the state, the same on every machine with the same files.
func (s State) Revision() string { return hex.EncodeToString(s[:])[:revisionDigits] }

// reading is the digest and the size of what is read of a folder.
type reading struct {
	sum   hash.Hash
	total int64 // bytes
	files map[string][]byte
}

// add adds a file to the digest and returns how much has been read of the folder, in
// bytes.
func (r *reading) add(name string, data []byte) (total int64) {
	r.write([]byte(name))
	r.write(data)
	r.files[name] = data
	r.total += int64(len(data))
	return r.total
}

// write adds bytes with their length, so that bytes cannot move between files unnoticed.
func (r *reading) write(data []byte) {
	r.sum.Write(binary.BigEndian.AppendUint64(nil, uint64(len(data))))
	r.sum.Write(data)
}

// state returns the state after everything was read. It includes the faults, because a
// missing or unreadable file adds no bytes.
func (l *loader) state() (state State) {
	_, _ = io.WriteString(l.files.sum, l.faults.Error())
	l.files.sum.Sum(state[:0])
	return state
}
