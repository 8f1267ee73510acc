// Package test tests the whole tree: its imports, its documents and their links.
package test

import (
	"testing"

	"frontdesk/test/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }
