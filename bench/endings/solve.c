/* Solves endings of Nine Men's Morris under the default rules, without symmetric copies, and writes the tables.

   solve FOLDER NAME...     NAME is 33, 43, which makes 34 too, or 44; each needs those before it.

   Points are bits as in service/domain/games/morris/turns.py: eight a square, clockwise from a corner. A table
   has a block for each set of the mover's men that is the least of its 16 images: the set in three bytes, and a byte for
   each set of the other side's men, by its rank among the points that are left. The byte is 0 for a draw, or else one
   more than the turns until the end if both sides play to win soonest and lose latest: the mover wins if they are odd.
*/
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint32_t men;

static const men LINES[16] = {
    0x000007, 0x00001C, 0x000070, 0x0000C1, 0x000700, 0x001C00, 0x007000, 0x00C100,
    0x070000, 0x1C0000, 0x700000, 0xC10000, 0x020202, 0x080808, 0x202020, 0x808080,
};

enum { POINTS = 24, MOST_CLASSES = 1024, ONLY_MEN = 3 };

static struct table {
    int mine, other, classes, block;
    men least[MOST_CLASSES];
    uint8_t *value;
} tables[5][5];

static int choose[POINTS + 1][6];
static men near[POINTS];
static int16_t class_of[1 << POINTS]; /* by the men of a side; a set of three is no set of four */
static uint8_t image_of[1 << POINTS]; /* which image of the set is the least */

static men image(men set, int which)
{
    if (which & 1) set = set >> 16 | (set & 0xFF00) | (set & 0xFF) << 16;
    if (which & 2)
        set = (set & 0x111111) | (set & 0x020202) << 6 | (set & 0x808080) >> 6 | (set & 0x040404) << 4
            | (set & 0x404040) >> 4 | (set & 0x080808) << 2 | (set & 0x202020) >> 2;
    for (int turns = which >> 2; turns; turns--) set = (set << 2 & 0xFCFCFC) | (set >> 6 & 0x030303);
    return set;
}

static int rank_of(men set, men without)
{
    int rank = 0;
    for (int count = 1; set; count++, set &= set - 1)
        rank += choose[__builtin_ctz(set) - __builtin_popcount(without & ((set & -set) - 1))][count];
    return rank;
}

static men next_set(men set) /* the next larger one with as many points */
{
    men low = set & -set, up = set + low;
    return up | ((set ^ up) / low) >> 2;
}

static uint8_t value_of(men mine, men other)
{
    struct table *table = &tables[__builtin_popcount(mine)][__builtin_popcount(other)];
    int which = image_of[mine];
    return table->value[class_of[mine] * table->block + rank_of(image(other, which), image(mine, which))];
}

static men milled(men set)
{
    men found = 0;
    for (int line = 0; line < 16; line++)
        if ((set & LINES[line]) == LINES[line]) found |= LINES[line];
    return found;
}

/* Returns whether a turn to a position of this value decides: it wins in `turns`, or saves from a loss in `turns`. */
static int decides(uint8_t value, int turns)
{
    return turns & 1 ? value == turns : !value || value & 1 || value > turns;
}

/* Returns 1 more than `turns` if the position's value is now known to be that many turns, or 0. */
static uint8_t settle(men mine, men other, int turns)
{
    int flying = __builtin_popcount(mine) == ONLY_MEN || __builtin_popcount(other) == ONLY_MEN;
    men exposed = other & ~milled(other);
    for (men left = mine; left; left &= left - 1) {
        men rest = mine & ~(left & -left);
        men targets = (flying ? ~0u : near[__builtin_ctz(left)]) & ~(mine | other) & 0xFFFFFF;
        for (; targets; targets &= targets - 1) {
            men to = targets & -targets, now = rest | to;
            if (!exposed || !(milled(now) & to)) {
                if (decides(value_of(other, now), turns)) return (turns & 1) * (turns + 1);
            } else if (__builtin_popcount(other) == ONLY_MEN) {
                return turns == 1 ? 2 : 0;
            } else {
                for (men gone = exposed; gone; gone &= gone - 1)
                    if (decides(value_of(other & ~(gone & -gone), now), turns)) return (turns & 1) * (turns + 1);
            }
        }
    }
    return turns & 1 ? 0 : turns + 1; /* every turn leads to a win of the other side, known before */
}

static void prepare(int mine, int other)
{
    struct table *table = &tables[mine][other];
    table->mine = mine, table->other = other, table->block = choose[POINTS - mine][other];
    for (men set = (1 << mine) - 1; set < 1 << POINTS; set = next_set(set)) {
        int best = 0;
        for (int which = 1; which < 16; which++)
            if (image(set, which) < image(set, best)) best = which;
        image_of[set] = best;
        if (!best) class_of[set] = table->classes, table->least[table->classes++] = set;
        class_of[set] = class_of[image(set, best)]; /* which is less, so it has a class */
    }
    table->value = calloc(table->classes, table->block);
}

static long sweep(struct table *table, int turns)
{
    long settled = 0;
    for (int number = 0; number < table->classes; number++) {
        men mine = table->least[number];
        uint8_t *value = table->value + number * table->block;
        for (men other = (1 << table->other) - 1; other < 1 << POINTS; other = next_set(other)) {
            if (mine & other) continue;
            uint8_t *place = value + rank_of(other, mine);
            if (!*place) settled += (*place = settle(mine, other, turns)) > 0;
        }
    }
    return settled;
}

static void solve(struct table *one, struct table *two)
{
    int idle = 0; /* a win of the smaller table can be further away than all that are known so far */
    for (int turns = 0; idle < 32; turns++) {
        long settled = sweep(one, turns) + (two != one ? sweep(two, turns) : 0);
        idle = settled ? 0 : idle + 1;
        if (settled) fprintf(stderr, "%d turns: %ld\n", turns, settled);
    }
}

static int is_looked_up(men mine, men other)
{
    for (int which = 1; which < 16; which++)
        if (image(mine, which) == mine && image(other, which) < other) return 0;
    return 1;
}

static void save(const char *folder, struct table *table)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/endings_%d_%d", folder, table->mine, table->other);
    FILE *file = fopen(path, "wb");
    if (!file) perror(path), exit(1);
    for (int number = 0; number < table->classes; number++) {
        men mine = table->least[number];
        uint8_t name[3] = {mine >> 16, mine >> 8, mine}, byte = 0;
        fwrite(name, 1, 3, file);
        for (men other = (1 << table->other) - 1; other < 1 << POINTS; other = next_set(other)) {
            if (mine & other) continue;
            if (is_looked_up(mine, other)) byte = table->value[number * table->block + rank_of(other, mine)];
            fputc(byte, file);
        }
    }
    if (fclose(file)) perror(path), exit(1);
}

int main(int count, char **given)
{
    for (int n = 0; n <= POINTS; n++)
        for (int k = 0; k < 6; k++) choose[n][k] = k == 0 ? 1 : n == 0 ? 0 : choose[n - 1][k - 1] + choose[n - 1][k];
    for (int line = 0; line < 16; line++) {
        men first = LINES[line] & -LINES[line], last = 1u << (31 - __builtin_clz(LINES[line]));
        men middle = LINES[line] & ~(first | last);
        if (middle & 0x404040) { /* a line from the last corner of a square to its first: the last point is the middle */
            men corner = middle;
            middle = last, last = corner;
        }
        near[__builtin_ctz(middle)] |= first | last;
        near[__builtin_ctz(first)] |= middle;
        near[__builtin_ctz(last)] |= middle;
    }
    for (int mine = 3; mine <= 4; mine++)
        for (int other = 3; other <= 4; other++) prepare(mine, other);
    for (int name = 2; name < count; name++) {
        struct table *one = &tables[given[name][0] - '0'][given[name][1] - '0'];
        struct table *two = &tables[one->other][one->mine];
        solve(one, two);
        save(given[1], one);
        if (two != one) save(given[1], two);
    }
    return 0;
}
