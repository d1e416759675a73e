/* Input and output of the plain programs: a scanner made by hand, and one buffer each. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *input, output[1 << 16];
static size_t filled;

static void start(void) {
    size_t size = 1 << 20, used = 0;
    ssize_t got;
    input = malloc(size + 1);
    while ((got = read(0, input + used, size - used)) > 0) {
        used += got;
        if (used == size) input = realloc(input, (size *= 2) + 1);
    }
    input[used] = 0;
}

static void finish(void) {
    size_t at = 0;
    while (at < filled) {
        ssize_t done = write(1, output + at, filled - at);
        if (done <= 0) exit(1);
        at += done;
    }
    filled = 0;
}

static char *read_word(void) {
    char *word;
    while (*input == ' ' || *input == '\n' || *input == '\r') input++;
    word = input;
    while (*input && *input != ' ' && *input != '\n' && *input != '\r') input++;
    return word;
}

static int read_number(void) {
    char *word = read_word();
    int sign = *word == '-' ? -1 : 1, number = 0;
    for (word += *word == '-'; word < input; word++) number = 10 * number + *word - '0';
    return sign * number;
}

static void put(char sign) {
    if (filled == sizeof output) finish();
    output[filled++] = sign;
}

static void put_text(const char *text) {
    while (*text) put(*text++);
}

static void put_number(int number, int width) {
    char digits[12];
    int count = 0, negative = number < 0;
    if (negative) number = -number;
    do digits[count++] = '0' + number % 10; while (number /= 10);
    for (width -= count + negative; width > 0; width--) put(' ');
    if (negative) put('-');
    while (count) put(digits[--count]);
}
