//go:build race

package expect

const race = true
