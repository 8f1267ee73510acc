//go:build unix

package records

import (
	"fmt"
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
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fmt.Errorf("%s: the owner of the folder is unknown", dir)
	}
	return os.Chown(path, int(owner.Uid), int(owner.Gid))
}
