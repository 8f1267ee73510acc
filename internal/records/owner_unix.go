//go:build unix

package records

import (
	"os"
	"syscall"
)

// AdoptOwner gives a file that root has created in a data folder to the owner of the
// folder, because the service does not run as root.
func AdoptOwner(path, dir string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	owner := info.Sys().(*syscall.Stat_t) // as os documents for Unix
	return os.Chown(path, int(owner.Uid), int(owner.Gid))
}
