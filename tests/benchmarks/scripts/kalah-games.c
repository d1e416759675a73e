/* Kalah: the moves of games, with the seeds in the stores after each. */
#include "plain.h"

static const char *players[] = {"south", "north"};
static int seeds[14];

static int sow(int side, int pit) {
    int own = 6 + 7 * side, other = 13 - 7 * side, left = seeds[pit], at = pit;
    seeds[pit] = 0;
    while (left) {
        if (++at == 14) at = 0;
        if (at != other) seeds[at]++, left--;
    }
    if (at != own && at / 7 == side && seeds[at] == 1 && seeds[12 - at]) {
        seeds[own] += 1 + seeds[12 - at];
        seeds[at] = seeds[12 - at] = 0;
    }
    return at == own ? side : 1 - side;
}

static int total(int from, int to) {
    int sum = 0;
    while (from < to) sum += seeds[from++];
    return sum;
}

int main(void) {
    int games;
    start();
    for (games = read_number(); games; games--) {
        int side = 0, south, north;
        for (int i = 0; i < 14; i++) seeds[i] = i % 7 == 6 ? 0 : 4;
        while (total(0, 6) && total(7, 13)) {
            char *word = read_word();
            int size = input - word, pit = -1;
            if (size == 2 && word[0] >= 'a' && word[0] <= 'f' && (word[1] == '1' || word[1] == '2'))
                pit = word[0] - 'a' + 7 * (word[1] - '1');
            for (int i = 0; i < size; i++) put(word[i]);
            if (pit < 0 || pit / 7 != side || !seeds[pit]) {
                put_text(" is no move of ");
                put_text(players[side]);
                put('\n');
                continue;
            }
            side = sow(side, pit);
            put(' ');
            put_number(seeds[6], 2);
            put(' ');
            put_number(seeds[13], 2);
            put(' ');
            put_text(players[side]);
            put('\n');
        }
        for (int i = 13; i > 6; i--) put_number(seeds[i], 2), put(i > 7 ? ' ' : '\n');
        put_text("   ");
        for (int i = 0; i < 7; i++) put_number(seeds[i], 2), put(i < 6 ? ' ' : '\n');
        south = total(0, 7), north = total(7, 14);
        if (south == north) {
            put_text("draw\n");
            continue;
        }
        put_text(players[north > south]);
        put(' ');
        put_number(south, 0);
        put(' ');
        put_number(north, 0);
        put('\n');
    }
    finish();
    return 0;
}
