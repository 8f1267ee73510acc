package encoder

import _ "embed"

//go:embed data/multilingual.bin
var multilingualWeights string
