//go:build !race

package expect

const race = false
