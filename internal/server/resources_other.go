//go:build !unix

package server

import "math"

func openFilesLimit() int { return math.MaxInt32 }
