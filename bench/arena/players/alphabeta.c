/* Alpha-beta with iterative deepening for Nine Men's Morris under the default options.
 *
 * It shares nothing with the service's search, so that it can be an opponent for it. A removal is a move of its own that
 * costs no depth. Repetition and quiet turns are left to the table: the search does not know them.
 */
#include <stdint.h>
#include <string.h>
#include <time.h>

enum { POINTS = 24, LINES = 16, NONE = POINTS, MOST_MOVES = 9 * POINTS, DEEPEST = 40, ENTRIES = 1 << 18 };
enum { ENDLESS = 30000, WON = 10000, MAN = 100, NEARLY_MILL = 12, MILL = 8, FREEDOM = 3 };

typedef struct {
    uint32_t men[2]; /* sets of points, numbered in reading order; index 0 is the side to move */
    int hand[2], owed; /* men that the side to move has to remove before its turn ends */
} Position;

typedef struct {
    int8_t from, to; /* `from` is `NONE` for a placement and a removal */
} Move;

typedef struct {
    uint64_t key;
    int16_t value;
    int8_t depth, bound; /* bound: -1 at most `value`, 0 exactly, 1 at least */
    Move move;
} Entry;

static const int8_t LINE[LINES][3] = {
    {0, 1, 2},  {3, 4, 5},   {6, 7, 8},   {9, 10, 11}, {12, 13, 14}, {15, 16, 17}, {18, 19, 20}, {21, 22, 23},
    {0, 9, 21}, {3, 10, 18}, {6, 11, 15}, {1, 4, 7},   {16, 19, 22}, {8, 12, 17},  {5, 13, 20},  {2, 14, 23}};

static uint32_t line[LINES], others[POINTS][2], neighbours[POINTS]; /* others: the rest of each line through a point */
static Entry entries[ENTRIES];
static double deadline;
static int stopped;
static uint64_t nodes;

static double now(void) {
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return used.tv_sec * 1e3 + used.tv_nsec / 1e6;
}

static void prepare(void) {
    int through[POINTS] = {0};
    for (int at = 0; at < LINES; at++) line[at] = 1u << LINE[at][0] | 1u << LINE[at][1] | 1u << LINE[at][2];
    memset(neighbours, 0, sizeof neighbours);
    for (int at = 0; at < LINES; at++)
        for (int place = 0; place < 3; place++) {
            int point = LINE[at][place];
            others[point][through[point]++] = line[at] & ~(1u << point);
            neighbours[point] |= place == 1 ? others[point][through[point] - 1] : 1u << LINE[at][1];
        }
}

static int bits(uint32_t set) { return __builtin_popcount(set); }

static int mills_at(uint32_t men, int at) {
    return ((men & others[at][0]) == others[at][0]) + ((men & others[at][1]) == others[at][1]);
}

static uint32_t in_mills(uint32_t men) {
    uint32_t found = 0;
    for (int at = 0; at < LINES; at++)
        if ((men & line[at]) == line[at]) found |= line[at];
    return found;
}

static int left(const Position *position, int side) { return bits(position->men[side]) + position->hand[side]; }

/* Whether men fly: both sides do, as soon as one of them has three men left. */
static int flies(const Position *position) { return left(position, 0) <= 3 || left(position, 1) <= 3; }

static int moves_of(const Position *position, Move *moves) {
    uint32_t men = position->men[0], empty = ~(men | position->men[1]) & ((1u << POINTS) - 1);
    int many = 0, flying = flies(position);
    if (position->owed || position->hand[0]) {
        uint32_t to = position->owed ? position->men[1] & ~in_mills(position->men[1]) : empty;
        for (; to; to &= to - 1) moves[many++] = (Move){NONE, __builtin_ctz(to)};
        return many;
    }
    for (; men; men &= men - 1) {
        int from = __builtin_ctz(men);
        for (uint32_t to = flying ? empty : empty & neighbours[from]; to; to &= to - 1)
            moves[many++] = (Move){from, __builtin_ctz(to)};
    }
    return many;
}

/* Return the position after a move; if the same side has to remove a man then, `owed` is not 0, and it is its view. */
static Position after(Position position, Move move) {
    if (position.owed) {
        position.men[1] &= ~(1u << move.to);
        position.owed = left(&position, 1) < 3 ? 0 : position.owed - 1;
    } else {
        if (move.from == NONE) position.hand[0]--;
        else position.men[0] &= ~(1u << move.from);
        position.owed = mills_at(position.men[0], move.to);
        position.men[0] |= 1u << move.to;
    }
    if (position.owed && position.men[1] & ~in_mills(position.men[1])) return position;
    return (Position){{position.men[1], position.men[0]}, {position.hand[1], position.hand[0]}, 0};
}

static int worth(const Position *position, int side) {
    uint32_t men = position->men[side], empty = ~(men | position->men[!side]), reach = 0;
    int value = MAN * left(position, side);
    for (int at = 0; at < LINES; at++) {
        uint32_t here = men & line[at];
        if (here == line[at]) value += MILL;
        else if (here & (here - 1) && line[at] & empty) value += NEARLY_MILL;
    }
    for (uint32_t rest = men; rest; rest &= rest - 1) reach |= neighbours[__builtin_ctz(rest)];
    return value + FREEDOM * bits(reach & empty);
}

/* Return a move's place in the order of the search: first the best so far, then what closes mills, then what blocks. */
static int promise(const Position *position, Move move, Move best) {
    if (move.from == best.from && move.to == best.to) return 9;
    if (position->owed) return 0;
    uint32_t men = move.from == NONE ? position->men[0] : position->men[0] & ~(1u << move.from);
    return 3 * mills_at(men, move.to) + mills_at(position->men[1], move.to);
}

static uint64_t key_of(const Position *position) { /* of all there is, so that two positions never share a key */
    return position->men[0] | (uint64_t)position->men[1] << 24 | (uint64_t)position->hand[0] << 48 |
           (uint64_t)position->hand[1] << 52 | (uint64_t)position->owed << 56 | 1ull << 60;
}

/* Return a position's value for the side to move; wins are worth more, the more depth is left. */
static int search(const Position *position, int depth, int alpha, int beta, Move *chosen) {
    if (!(++nodes & 1023) && now() >= deadline) stopped = 1;
    if (stopped) return 0;
    if (left(position, 0) < 3) return -WON - depth;
    Move moves[MOST_MOVES], best = {NONE, NONE};
    int many = moves_of(position, moves), order[MOST_MOVES], most = -ENDLESS;
    if (!many) return -WON - depth;
    if (depth <= 0 && !position->owed) return worth(position, 0) - worth(position, 1);
    uint64_t key = key_of(position);
    Entry *entry = &entries[key * 0x9E3779B97F4A7C15u >> 46];
    if (chosen) best = *chosen;
    else if (entry->key == key) {
        best = entry->move;
        int decides = entry->bound > 0 ? entry->value >= beta : entry->bound == 0 || entry->value <= alpha;
        if (entry->depth == depth && decides) return entry->value;
    }
    for (int at = 0; at < many; at++) order[at] = promise(position, moves[at], best);
    for (int at = 0; at < many; at++) {
        int next = at; /* of the moves that are left */
        for (int other = at + 1; other < many; other++)
            if (order[other] > order[next]) next = other;
        Move move = moves[next];
        moves[next] = moves[at], order[next] = order[at];
        Position then = after(*position, move);
        int rest = position->owed ? depth : depth - 1, lower = most > alpha ? most : alpha;
        int value = then.owed ? search(&then, rest, lower, beta, 0) : -search(&then, rest, -beta, -lower, 0);
        if (stopped) return most;
        if (value > most) most = value, best = move;
        if (chosen) *chosen = best;
        if (most >= beta) break;
    }
    *entry = (Entry){key, most, depth, most >= beta ? 1 : most <= alpha ? -1 : 0, best};
    return most;
}

/* Return the move after `ms` milliseconds of CPU time, as 32 times the point that a man leaves (24: none) plus the other.
 *
 * The arguments are the position as `Position` has it; `searched` gets the last full depth and the number of nodes.
 */
int choose(uint32_t own, uint32_t other, int hand, int other_hand, int owed, double ms, uint64_t searched[2]) {
    Position position = {{own, other}, {hand, other_hand}, owed};
    deadline = now() + ms, stopped = 0, nodes = 0;
    prepare();
    memset(entries, 0, sizeof entries);
    Move moves[MOST_MOVES];
    int many = moves_of(&position, moves), depth = 0, value = 0;
    Move chosen = moves[0];
    while (many > 1 && !stopped && depth < DEEPEST && value < WON && value > -WON)
        value = search(&position, ++depth, -ENDLESS, ENDLESS, &chosen);
    searched[0] = depth - stopped, searched[1] = nodes;
    return chosen.from << 5 | chosen.to;
}
