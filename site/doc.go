// Package site makes the pages for people, each as HTML and as Markdown from one
// source. What the contract says, the pages take from package contract.
package site
