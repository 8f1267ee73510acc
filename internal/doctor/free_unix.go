//go:build unix

package doctor

import "golang.org/x/sys/unix"

// freeSpace returns how many bytes the file system of a folder has for this user.
func freeSpace(dir string) (int64, error) {
	var stat unix.Statfs_t
	err := unix.Statfs(dir, &stat)
	return int64(stat.Bavail) * int64(stat.Bsize), err
}
