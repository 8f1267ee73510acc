// Package content reads what the owner publishes: one folder of text files and images, which
// docs/content.md describes. Load reads and checks all of it, so that the rest of the program
// can rely on it; Init writes a sample to start from.
package content
