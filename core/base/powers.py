# SPDX-License-Identifier: MIT
"""Writes powers.inc: what number.c makes the leading 128 bits of the powers of ten from, rounded down."""
import sys

LOWEST, HIGHEST = -342, 341
STEP = 27  # 5^27 has 63 bits
FIRST = -(-LOWEST // STEP + 1) * STEP


def leading(exponent, bits):
    """The leading bits of 10^exponent, rounded down."""
    if exponent < 0:
        inverse = 10**-exponent
        return (1 << (inverse.bit_length() + bits - 1)) // inverse
    power = 10**exponent
    shift = power.bit_length() - bits
    return power >> shift if shift >= 0 else power << -shift


def product(exponent):
    """What power_of_ten of number.c gives."""
    places = (exponent - FIRST) % STEP
    whole = leading(exponent - places, 192) * leading(places, 64)
    return whole >> (whole.bit_length() - 128)


with open(sys.argv[1], "w", encoding="ascii") as out:
    wrong = [exponent for exponent in range(LOWEST, HIGHEST + 1) if product(exponent) != leading(exponent, 128)]
    assert not wrong, wrong
    out.write(f"enum {{ POWERS_LOWEST = {LOWEST}, POWERS_STEP = {STEP}, POWERS_FIRST = {FIRST} }};\n")
    out.write("static const uint64_t small_powers[] = {\n")
    for exponent in range(STEP):
        out.write(f"    0x{leading(exponent, 64):016x}u, /* 1e{exponent} */\n")
    out.write("};\nstatic const uint64_t great_powers[][3] = {\n")
    for exponent in range(FIRST, HIGHEST + 1, STEP):
        bits = leading(exponent, 192)
        parts = ", ".join(f"0x{bits >> shift & (2**64 - 1):016x}u" for shift in (128, 64, 0))
        out.write(f"    {{{parts}}}, /* 1e{exponent} */\n")
    out.write("};\n")
