#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char board[6][7];
static int height[7], moves;

static int four(int row, int column, char piece) {
    static const int down[4] = {0, 1, 1, 1}, right[4] = {1, 0, 1, -1};
    for (int d = 0; d < 4; d++) {
        int length = 1;
        for (int way = -1; way <= 1; way += 2) {
            int r = row + way * down[d], c = column + way * right[d];
            while (r >= 0 && r < 6 && c >= 0 && c < 7 && board[r][c] == piece) {
                length++;
                r += way * down[d];
                c += way * right[d];
            }
        }
        if (length >= 4) return 1;
    }
    return 0;
}

static char mover(void) { return moves % 2 ? 'o' : '*'; }

static int drop(int column) {
    char piece = mover();
    int row = height[column]++;
    board[row][column] = piece;
    moves++;
    return four(row, column, piece);
}

static int choose(void) {
    const char pieces[2] = {mover(), mover() == '*' ? 'o' : '*'};
    for (int p = 0; p < 2; p++)
        for (int c = 0; c < 7; c++)
            if (height[c] < 6 && four(height[c], c, pieces[p])) return c;
    for (int c = 0; c < 7; c++)
        if (height[c] < 6) return c;
    return -1;
}

static void show(void) {
    for (int r = 5; r >= 0; r--) printf("%.7s\n", board[r]);
    printf("\n");
}

/* The next word, cut; the program ends with the input. */
static void read_word(char *word, int size) {
    int c, length = 0;
    while ((c = getchar()) != EOF && isspace(c));
    if (c == EOF) exit(0);
    for (; c != EOF && !isspace(c); c = getchar())
        if (length < size - 1) word[length++] = c ? c : '?';
    word[length] = 0;
}

/* The next word as a number of a range, without a sign; the program ends with any other word. */
static int read_number(int low, int high) {
    char word[10000];
    int value = 0;
    read_word(word, sizeof word);
    for (char *c = word; *c; c++) {
        if (!isdigit((unsigned char)*c)) exit(1);
        if (value < 1000) value = 10 * value + (*c - '0');
    }
    if (value < low || value > high) exit(1);
    return value;
}

int main(void) {
    int won = 0;
    char word[10];
    memset(board, '-', sizeof board);
    for (int n = read_number(1, 10); n > 0; n--) {
        int column = read_number(1, 7) - 1;
        if (height[column] == 6 || drop(column)) return 1;
    }
    show();
    while (!won && moves < 42) {
        read_word(word, sizeof word);
        if (strcmp(word, "n") && strcmp(word, "r")) continue;
        do won = drop(choose());
        while (word[0] == 'r' && !won && moves < 42);
        show();
    }
    if (won)
        printf("Player %d wins\n", moves % 2 ? 1 : 2);
    else
        printf("Draw\n");
    return 0;
}
