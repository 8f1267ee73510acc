package live_test

import (
	"testing"

	"frontdesk/test/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }
