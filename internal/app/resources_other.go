//go:build !unix

package app

import "math"

func openFilesLimit() int { return math.MaxInt32 }
