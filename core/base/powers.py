# SPDX-License-Identifier: MIT
"""Writes powers.inc: the leading 128 bits of the powers of ten, rounded down, for number.c."""
import sys

LOWEST, HIGHEST = -342, 341

with open(sys.argv[1], "w", encoding="ascii") as out:
    out.write(f"enum {{ POWERS_LOWEST = {LOWEST}, POWERS_HIGHEST = {HIGHEST} }};\n")
    out.write("static const struct power {\n    uint64_t high, low;\n} powers[] = {\n")
    for exponent in range(LOWEST, HIGHEST + 1):
        if exponent >= 0:
            power = 10**exponent
            shift = power.bit_length() - 128
            bits = power >> shift if shift >= 0 else power << -shift
        else:
            inverse = 10**-exponent
            bits = (1 << (inverse.bit_length() + 127)) // inverse
        assert bits.bit_length() == 128
        out.write(f"    {{0x{bits >> 64:016x}u, 0x{bits & (2**64 - 1):016x}u}}, /* 1e{exponent} */\n")
    out.write("};\n")
