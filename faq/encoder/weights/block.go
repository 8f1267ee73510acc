package weights

import "math"

// A block is 32 numbers in 4 bits: a float16 scale and 16 bytes, whose low halves are the first 16 numbers
// divided by the scale, plus 8, and whose high halves are the others. GGML calls it Q4_0.
const (
	BlockNumbers = 32
	BlockSize    = 18 // bytes
)

// Widen writes the numbers of blocks to dst.
func Widen(dst []float32, blocks string) {
	for ; len(blocks) >= BlockSize; blocks = blocks[BlockSize:] {
		scale := fromHalf(uint16(blocks[0]) | uint16(blocks[1])<<8)
		low, high := dst[:16], dst[16:BlockNumbers]
		for i := range low {
			b := blocks[2+i]
			low[i] = float32(int(b&15)-8) * scale
			high[i] = float32(int(b>>4)-8) * scale
		}
		dst = dst[BlockNumbers:]
	}
}

// fromHalf widens a float16.
func fromHalf(h uint16) float32 {
	sign, rest := uint32(h&0x8000)<<16, uint32(h&0x7fff)
	if rest < 0x400 { // zero or subnormal
		return math.Float32frombits(sign | math.Float32bits(float32(rest)/(1<<24)))
	}
	return math.Float32frombits(sign | (rest<<13 + 112<<23))
}
