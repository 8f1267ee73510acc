//go:build !purego

#include "textflag.h"

// The kernel does two rows and four tokens at once, with eight sums of int32 lanes in Y0 to Y7.
// R8 to R11 point to the tokens, SI and R12 to the rows; AX is the column.

// TOKEN multiplies 16 columns of a token by both rows, adding to s0 and s1.
#define TOKEN(t, s0, s1) \
	VMOVDQU (t)(AX*2), Y10 \
	VPMADDWD Y10, Y8, Y11 \
	VPMADDWD Y10, Y9, Y12 \
	VPADDD Y11, s0, s0 \
	VPADDD Y12, s1, s1

// STORE adds up the lanes of the sums a to d and stores the four int32. xa and ya are one register, xb the
// low half of b.
#define STORE(ya, b, c, d, xa, xb, offset) \
	VPHADDD b, ya, ya \
	VPHADDD d, c, c \
	VPHADDD c, ya, ya \
	VEXTRACTI128 $1, ya, xb \
	VPADDD xb, xa, xa \
	VMOVDQU xa, offset(DI)

// func dotAVX2(dst *sums, w *int8, a *int16, k int)
TEXT ·dotAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ w+8(FP), SI
	MOVQ a+16(FP), R8
	MOVQ k+24(FP), CX
	LEAQ (R8)(CX*2), R9
	LEAQ (R9)(CX*2), R10
	LEAQ (R10)(CX*2), R11
	MOVQ $16, BX // pairs of rows: half of blockRows
rows:
	LEAQ (SI)(CX*1), R12
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	XORQ AX, AX
columns:
	VPMOVSXBW (SI)(AX*1), Y8
	VPMOVSXBW (R12)(AX*1), Y9
	TOKEN(R8, Y0, Y4)
	TOKEN(R9, Y1, Y5)
	TOKEN(R10, Y2, Y6)
	TOKEN(R11, Y3, Y7)
	ADDQ $16, AX
	CMPQ AX, CX
	JLT columns
	STORE(Y0, Y1, Y2, Y3, X0, X1, 0)
	STORE(Y4, Y5, Y6, Y7, X4, X5, 16)
	ADDQ $32, DI
	LEAQ (R12)(CX*1), SI
	DECQ BX
	JNZ rows
	VZEROUPPER
	RET
