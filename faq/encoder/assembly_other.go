//go:build !amd64 || purego

package encoder

const assembly = false

func dotAssembly(*sums, []int8, []int16) { panic("encoder: no assembly kernel") }
