/* SPDX-License-Identifier: MIT */
/* number.c - decimal text to double and back, correctly rounded, in integer arithmetic alone.
 *
 * Both directions multiply a 64-bit integer by a power of ten that is known to 128 bits, rounded down. The product's
 * error is bounded: if both ends of that interval round to the same result, it is right. The rest (about one in 2^50 of
 * the numbers that people write) is decided by comparing big integers exactly. */
#include <pcm/pcm.h>

#include "powers.inc"

__extension__ typedef unsigned __int128 uint128;

enum {
    MOST_DIGITS = 800, /* no midpoint of two doubles has more significant digits; of further ones it only matters
                          whether any is not 0 */
    LIMBS = 66         /* of 64 bits: enough for 10^801 times 2^1075 */
};

static int floor_log2_pow10(int exponent) { return (exponent * 1741647) >> 19; }
static int floor_log10_pow2(int exponent) { return (exponent * 1262611) >> 22; }

/* Powers of ten that 128 bits hold exactly. */
static bool power_is_exact(int exponent) { return exponent >= 0 && exponent <= 55; }

struct power {
    uint64_t high, low;
};

/* From two tables of together less than 1 kB; one of all powers would take 11 kB. The upper 128 bits of the product of
 * 192 and 64 bits are exact for every exponent: powers.py checks it. */
static struct power power_of_ten(int exponent)
{
    const int       place = exponent - POWERS_FIRST;
    const uint64_t *great = great_powers[place / POWERS_STEP], small = small_powers[place % POWERS_STEP];
    const uint128   low = (uint128)great[2] * small;
    const uint128   middle = (uint128)great[1] * small + (uint64_t)(low >> 64);
    uint128         high = (uint128)great[0] * small + (uint64_t)(middle >> 64);
    if (!(high >> 127))
        high = high << 1 | (uint64_t)middle >> 63;
    return (struct power){(uint64_t)(high >> 64), (uint64_t)high};
}

/* ---- Big integers ---------------------------------------------------------------------------------------------- */

typedef struct big {
    uint64_t limb[LIMBS]; /* least significant first */
    int      used;
} big;

static void big_multiply_add(big *number, uint64_t factor, uint64_t summand)
{
    uint64_t carry = summand;
    for (int i = 0; i < number->used; i++) {
        uint128 product = (uint128)number->limb[i] * factor + carry;
        number->limb[i] = (uint64_t)product;
        carry = (uint64_t)(product >> 64);
    }
    if (carry != 0)
        number->limb[number->used++] = carry;
}

static void big_times_pow10(big *number, int exponent)
{
    for (; exponent >= 19; exponent -= 19)
        big_multiply_add(number, 10000000000000000000u, 0);
    for (; exponent > 0; exponent--)
        big_multiply_add(number, 10, 0);
}

static void big_times_pow2(big *number, int exponent)
{
    for (; exponent >= 63; exponent -= 63)
        big_multiply_add(number, UINT64_C(1) << 63, 0);
    big_multiply_add(number, UINT64_C(1) << exponent, 0);
}

static int big_compare(const big *a, const big *b)
{
    if (a->used != b->used)
        return a->used < b->used ? -1 : 1;
    for (int i = a->used - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

/* The sign of decimal * 10^exponent10 - binary * 2^exponent2. Overwrites decimal. */
static int compare_exactly(big *decimal, int exponent10, uint64_t binary, int exponent2)
{
    big right = {.used = 0};
    big_multiply_add(&right, 0, binary);
    if (exponent10 >= 0)
        big_times_pow10(decimal, exponent10);
    else
        big_times_pow10(&right, -exponent10);
    if (exponent2 >= 0)
        big_times_pow2(&right, exponent2);
    else
        big_times_pow2(decimal, -exponent2);
    return big_compare(decimal, &right);
}

/* ---- Reading --------------------------------------------------------------------------------------------------- */

typedef struct decimal {
    uint64_t    leading;  /* the first 19 significant digits */
    int         exponent; /* the number is leading * 10^exponent, or a little more if cut */
    bool        cut;
    const char *first, *last; /* the significant digits, possibly with a point among them */
    int         tail;         /* power of ten of the digit before `last` */
} decimal;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Reads the exponent at text, which starts with e or E; returns its length, 0 if there is none. */
static size_t read_exponent(const char *text, const char *end, int *exponent)
{
    const char *at = text + 1;
    if (text == end || (*text != 'e' && *text != 'E'))
        return 0;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (at == end || !is_digit(*at))
        return 0;
    int value = 0;
    for (; at < end && is_digit(*at); at++)
        value = value < 100000000 ? value * 10 + (*at - '0') : value;
    *exponent = negative ? -value : value;
    return (size_t)(at - text);
}

/* Splits the unsigned number at text; returns its length, 0 if there is none. */
static size_t read_decimal(const char *text, const char *end, decimal *number)
{
    int64_t     digits = 0, taken = 0, point = -1; /* digits before the point, once it has been read */
    const char *at = text;
    *number = (decimal){.first = NULL};
    for (; at < end; at++) {
        if (*at == '.' && point < 0) {
            point = digits;
            continue;
        }
        if (!is_digit(*at))
            break;
        digits++;
        if (number->first == NULL && *at == '0')
            continue;
        if (number->first == NULL)
            number->first = at;
        if (taken < 19)
            number->leading = number->leading * 10 + (uint64_t)(*at - '0');
        else
            number->cut |= *at != '0';
        taken++;
    }
    if (digits == 0)
        return 0;
    number->last = at;
    int exponent = 0;
    at += read_exponent(at, end, &exponent);
    int64_t tail = exponent - (point < 0 ? 0 : digits - point);
    int64_t whole = tail + (taken > 19 ? taken - 19 : 0);
    number->exponent = (int)(whole < -100000 ? -100000 : whole > 100000 ? 100000 : whole);
    number->tail = (int)(tail < -100000 ? -100000 : tail > 100000 ? 100000 : tail);
    return (size_t)(at - text);
}

/* The bits of the double nearest to value * 2^exponent, or to a little more if sticky. value's top bit or the one below
 * it is set. */
static uint64_t round_to_double(uint128 value, bool sticky, int exponent)
{
    int top = value >> 127 ? 127 : 126;
    int binary = top + exponent; /* exponent of the leading bit */
    if (binary > 1023)
        return UINT64_C(0x7ff) << 52;
    int kept = binary >= -1022 ? 53 : 53 - (-1022 - binary);
    if (kept < 0)
        return 0;
    int      cut = top + 1 - kept;
    uint64_t mantissa = cut > 127 ? 0 : (uint64_t)(value >> cut);
    uint128  half = (uint128)1 << (cut - 1);
    uint128  rest = value & (half | (half - 1));
    bool     up = rest > half || (rest == half && (sticky || (mantissa & 1)));
    uint64_t biased = binary >= -1022 ? (uint64_t)(binary + 1022) << 52 : 0;
    return biased + mantissa + up; /* a carry out of the mantissa increments the exponent */
}

/* Decides which of two neighbouring doubles is nearest to the number: below, or the next one. */
static uint64_t settle(const decimal *number, uint64_t below)
{
    big digits = {.used = 0};
    int taken = 0, left_out = 0;
    for (const char *at = number->first; at < number->last; at++) {
        if (*at == '.')
            continue;
        if (taken++ < MOST_DIGITS)
            big_multiply_add(&digits, 10, (uint64_t)(*at - '0'));
        else
            left_out++;
    }
    int exponent = number->tail + left_out;
    if (left_out > 0) { /* a last digit that replaces the digits cut off */
        big_multiply_add(&digits, 10, 1);
        exponent--;
    }
    uint64_t mantissa = below & ((UINT64_C(1) << 52) - 1);
    int      biased = (int)(below >> 52);
    if (biased > 0)
        mantissa |= UINT64_C(1) << 52;
    int order = compare_exactly(&digits, exponent, 2 * mantissa + 1, (biased > 0 ? biased : 1) - 1076);
    return below + (order > 0 || (order == 0 && (below & 1)));
}

static uint64_t nearest_double(const decimal *number)
{
    if (number->leading == 0 || number->exponent < POWERS_LOWEST)
        return 0;
    if (number->exponent > 308)
        return UINT64_C(0x7ff) << 52;
    int          shift = __builtin_clzll(number->leading);
    uint64_t     whole = number->leading << shift;
    struct power power = power_of_ten(number->exponent);
    uint128      low = (uint128)whole * power.low;
    uint128      high = (uint128)whole * power.high + (uint64_t)(low >> 64);
    bool         exact = power_is_exact(number->exponent) && !number->cut;
    int          exponent = floor_log2_pow10(number->exponent) - 63 - shift;
    uint64_t     least = round_to_double(high, !exact || (uint64_t)low != 0, exponent);
    if (exact)
        return least;
    uint128  error = number->cut ? ((uint128)power.high + 1) << shift : 0;
    uint64_t most = round_to_double(high + error + 1, true, exponent);
    return least == most ? least : settle(number, least);
}

size_t pcm_number_read(const char *text, size_t length, double *value)
{
    size_t  sign = length > 0 && (*text == '-' || *text == '+');
    decimal number;
    size_t  read = read_decimal(text + sign, text + length, &number);
    if (read == 0)
        return 0;
    uint64_t bits = nearest_double(&number);
    if (*text == '-')
        bits |= UINT64_C(1) << 63;
    memcpy(value, &bits, sizeof *value);
    return sign + read;
}

/* ---- Writing --------------------------------------------------------------------------------------------------- */

typedef struct digits {
    uint64_t whole;
    int      exponent; /* the number is whole * 10^exponent */
} digits;

/* power * factor / 2^128, with the last bit set if anything was cut off. */
static uint64_t multiply_to_odd(struct power power, uint64_t factor)
{
    uint64_t low = (uint64_t)(((uint128)power.low * factor) >> 64);
    uint128  high = (uint128)power.high * factor + low;
    return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

/* The shortest decimal that rounds to mantissa * 2^exponent, and the nearest of those: R. Giulietti, "The Schubfach way
 * to render doubles" (2020). Everything is multiplied by four, so that midpoints are whole numbers. */
static digits shortest_digits(uint64_t mantissa, int exponent, bool lower_is_closer)
{
    int          k = (exponent * 1262611 - (lower_is_closer ? 524031 : 0)) >> 22;
    int          shift = exponent + floor_log2_pow10(-k) + 1;
    struct power power = power_of_ten(-k);
    if (!power_is_exact(-k) && ++power.low == 0)
        power.high++;
    uint64_t odd = mantissa & 1;
    uint64_t value = multiply_to_odd(power, (4 * mantissa) << shift);
    uint64_t lower = multiply_to_odd(power, (4 * mantissa - (lower_is_closer ? 1 : 2)) << shift) + odd;
    uint64_t upper = multiply_to_odd(power, (4 * mantissa + 2) << shift) - odd;
    uint64_t whole = value / 4;
    if (whole >= 10) {
        uint64_t tens = whole / 10;
        bool     down = lower <= 40 * tens, up = 40 * tens + 40 <= upper;
        if (down != up)
            return (digits){tens + up, k + 1};
    }
    bool down = lower <= 4 * whole, up = 4 * whole + 4 <= upper;
    if (down != up)
        return (digits){whole + up, k};
    uint64_t middle = 4 * whole + 2;
    return (digits){whole + (value > middle || (value == middle && (whole & 1))), k};
}

static uint64_t round_to_whole(uint128 value, bool sticky, int cut)
{
    uint64_t whole = (uint64_t)(value >> cut);
    uint128  half = (uint128)1 << (cut - 1);
    uint128  rest = value & (half | (half - 1));
    return whole + (rest > half || (rest == half && (sticky || (whole & 1))));
}

/* mantissa * 2^exponent to `count` significant digits. */
static digits rounded_digits(uint64_t mantissa, int exponent, int count)
{
    static const uint64_t tens[] = {1u,
                                    10u,
                                    100u,
                                    1000u,
                                    10000u,
                                    100000u,
                                    1000000u,
                                    10000000u,
                                    100000000u,
                                    1000000000u,
                                    10000000000u,
                                    100000000000u,
                                    1000000000000u,
                                    10000000000000u,
                                    100000000000000u,
                                    1000000000000000u,
                                    10000000000000000u,
                                    100000000000000000u};
    int                   shift = __builtin_clzll(mantissa);
    uint64_t              bits = mantissa << shift;
    /* The first estimate of the decimal exponent may be one too small. */
    for (int decimal_exponent = floor_log10_pow2(exponent - shift + 63);; decimal_exponent++) {
        int          k = count - 1 - decimal_exponent;
        struct power power = power_of_ten(k);
        uint128      low = (uint128)bits * power.low;
        uint128      high = (uint128)bits * power.high + (uint64_t)(low >> 64);
        int          cut = 63 - (exponent - shift + floor_log2_pow10(k));
        bool         exact = power_is_exact(k);
        uint64_t     whole = round_to_whole(high, !exact || (uint64_t)low != 0, cut);
        if (!exact && whole != round_to_whole(high + 1, true, cut)) {
            big middle = {.used = 0};
            big_multiply_add(&middle, 0, 2 * whole + 1);
            int order = compare_exactly(&middle, -k, mantissa, exponent + 1);
            whole += order < 0 || (order == 0 && (whole & 1));
        }
        if (whole <= tens[count])
            return (digits){whole, -k};
    }
}

static size_t write_whole(uint64_t whole, char *text)
{
    char   reversed[20];
    size_t length = 0;
    do
        reversed[length++] = (char)('0' + whole % 10);
    while ((whole /= 10) != 0);
    for (size_t i = 0; i < length; i++)
        text[i] = reversed[length - 1 - i];
    return length;
}

static size_t fill(char *text, char c, int count)
{
    for (int i = 0; i < count; i++)
        text[i] = c;
    return (size_t)(count > 0 ? count : 0);
}

/* Writes digits as printf's %g does for that precision, but without padding the exponent. */
static size_t lay_out(digits number, int precision, char *text)
{
    while (number.whole % 10 == 0) {
        number.whole /= 10;
        number.exponent++;
    }
    char   figures[20];
    int    count = (int)write_whole(number.whole, figures);
    int    leading = count - 1 + number.exponent; /* power of ten of the first digit */
    bool   scientific = leading < -4 || leading >= precision;
    int    before = scientific ? 1 : leading + 1; /* digits before the point */
    size_t length = 0;
    if (before <= 0) {
        length += fill(text, '0', 1);
        text[length++] = '.';
        length += fill(text + length, '0', -before);
        before = count;
    }
    for (int i = 0; i < count; i++) {
        if (i == before)
            text[length++] = '.';
        text[length++] = figures[i];
    }
    length += fill(text + length, '0', before - count);
    if (scientific) {
        text[length++] = 'e';
        text[length] = '-';
        length += leading < 0;
        length += write_whole((uint64_t)(leading < 0 ? -leading : leading), text + length);
    }
    return length;
}

size_t pcm_number_write(double value, int digits_wanted, char text[PCM_NUMBER_SIZE])
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
    int      biased = (int)(bits >> 52 & 0x7ff);
    size_t   length = 0;
    bool     is_nan = biased == 0x7ff && mantissa != 0;
    if (bits >> 63 && !is_nan)
        text[length++] = '-';
    if (biased == 0x7ff) {
        memcpy(text + length, is_nan ? "nan" : "inf", 4);
        return length + 3;
    }
    if ((bits << 1) == 0) {
        memcpy(text + length, "0", 2);
        return length + 1;
    }
    bool lower_is_closer = mantissa == 0 && biased > 1;
    mantissa |= biased > 0 ? UINT64_C(1) << 52 : 0;
    int exponent = (biased > 0 ? biased : 1) - 1075;
    int precision = digits_wanted >= 1 && digits_wanted <= 17 ? digits_wanted : 17;
    length += lay_out(digits_wanted >= 1 && digits_wanted <= 17 ? rounded_digits(mantissa, exponent, precision)
                                                                : shortest_digits(mantissa, exponent, lower_is_closer),
                      precision, text + length);
    text[length] = '\0';
    return length;
}
