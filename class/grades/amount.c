#include "amount.h"

#include <string.h>

#include "lib/text.h"

static const char digits[] = "0123456789";

bool read_amount(const char *text, amount most, amount *value) {
    size_t whole = strspn(text, digits);
    const char *decimals = text + whole;
    if (!whole || (*decimals && (*decimals++ != '.' || !*decimals)) ||
        decimals[strspn(decimals, digits)])
        return false;
    *value = 0;
    for (size_t i = 0; i < whole && *value <= most; i++)
        *value = 10 * *value + (text[i] - '0') * POINT;
    for (amount place = POINT / 10; *decimals && place; place /= 10)
        *value += (*decimals++ - '0') * place;
    return *value <= most;
}

static amount rounded(__int128 numerator, __int128 denominator) {
    return (2 * numerator + denominator) / (2 * denominator) * (POINT / 100);
}

amount hundredths(amount value) { return rounded(value, POINT / 100); }

/* What a logarithm gives is no exact decimal: half a hundredth may be a little less in it. */
amount times_share(amount value, double share) {
    double exact = (double)value / POINT * share * 100;
    return (amount)(exact + 0.5 + 1e-7) * (POINT / 100);
}

amount scaled(amount value, amount part, amount whole, amount percent_less) {
    return rounded((__int128)(value / (POINT / 100)) * part * (100 * POINT - percent_less),
                   (__int128)whole * 100 * POINT);
}

const char *amount_text(amount value) {
    char *text = say("%lld.%06lld", value / POINT, value % POINT), *end = text + strlen(text);
    while (end[-1] == '0')
        *--end = '\0';
    if (end[-1] == '.')
        *--end = '\0';
    return text;
}

const char *points(amount value) { return amount_text(hundredths(value)); }
