// Package evaluation says how well questions were answered: how often the right
// entry came first, how often the service kept quiet when it had no answer, and what
// either would have been with another threshold.
package evaluation
