/* The search of the capture games for three, compiled: the same moves, the same order and the same values as paranoid.py
 * on the boards of evaluation.py; a test compares them. What Python has computed is passed in: the board, the weights, the
 * ranks of its cells, and when the budget is spent.
 */
#include "compiled.h"

enum { WORDS = 3, MOST_CELLS = 64 * WORDS, SEATS = 3, NOBODY = -1, FEATURES = 13 };
enum { TO_THE_END = 1 << 10, EXACT = 0, AT_LEAST = 1, AT_MOST = 2, NO_MOVE = 255 };
enum { SLOTS = 1 << 18, PROBES = 8 };
static const int64_t INFINITE = (int64_t)1 << 60, STEP = (int64_t)1 << 40;

/* A set of cells, one bit for each. */
typedef struct {
    uint64_t word[WORDS];
} Cells;

typedef struct {
    Cells owned[SEATS], reach[SEATS], empty;
    int turn;
} Node;

/* What is known of a position, of which two sets say who owns each cell. An unused slot has the depth 0. */
typedef struct {
    Cells first, second;
    int64_t value;
    int16_t depth;
    uint8_t turn, bound, move;
} Entry;

/* The cells and the weights that the evaluation needs, as Python passes them. */
typedef struct {
    Cells board, corners, rims, twice, thrice;
} Board;

typedef struct {
    PyObject_HEAD
    Meter meter;
    PyObject *weights;  /* the bytes of the weights, by the number of empty cells */
    const int64_t *weight;
    Entry *table;
    Board board;
    int steps[4], stride, seat, rivals[2], rival_count;
    bool stays[SEATS], shortened;
    int32_t ranks[MOST_CELLS];
    int64_t history[SEATS][MOST_CELLS];
    uint8_t killers[MOST_CELLS + 1][2], ranked[MOST_CELLS];
} Search;

static inline bool any(Cells a) { return a.word[0] | a.word[1] | a.word[2]; }
static inline bool has(Cells a, int at) { return a.word[at / 64] >> at % 64 & 1; }
static inline Cells both(Cells a, Cells b) {
    return (Cells){{a.word[0] & b.word[0], a.word[1] & b.word[1], a.word[2] & b.word[2]}};
}
static inline Cells either(Cells a, Cells b) {
    return (Cells){{a.word[0] | b.word[0], a.word[1] | b.word[1], a.word[2] | b.word[2]}};
}
static inline Cells without(Cells a, Cells b) {
    return (Cells){{a.word[0] & ~b.word[0], a.word[1] & ~b.word[1], a.word[2] & ~b.word[2]}};
}
static inline bool same(Cells a, Cells b) { return !any(without(a, b)) && !any(without(b, a)); }
/* Add the three words bit by bit, then count the bits of sums and carries: without special instructions, for any machine. */
static inline int count(Cells a) {
    const uint64_t twos = 0x5555555555555555u, fours = 0x3333333333333333u, bytes = 0x0F0F0F0F0F0F0F0Fu;
    uint64_t half = a.word[0] ^ a.word[1], sum = half ^ a.word[2], carry = (a.word[0] & a.word[1]) | (half & a.word[2]);
    sum -= sum >> 1 & twos;
    carry -= carry >> 1 & twos;
    sum = (sum & fours) + (sum >> 2 & fours);
    carry = (carry & fours) + (carry >> 2 & fours);
    sum = ((sum + (sum >> 4)) & bytes) + 2 * ((carry + (carry >> 4)) & bytes);
    return sum * 0x0101010101010101u >> 56;
}
static inline int common(Cells a, Cells b) { return count(both(a, b)); }
static inline int first(Cells a) {
    int word = a.word[0] ? 0 : a.word[1] ? 1 : 2;
    return 64 * word + __builtin_ctzll(a.word[word]);
}
static inline Cells cell(int at) {
    Cells found = {{0}};
    found.word[at / 64] = (uint64_t)1 << at % 64;
    return found;
}

/* Move all cells by a step of 1 to 63. */
static inline Cells up(Cells a, int step) {
    return (Cells){{a.word[0] << step, a.word[1] << step | a.word[0] >> (64 - step),
                    a.word[2] << step | a.word[1] >> (64 - step)}};
}
static inline Cells down(Cells a, int step) {
    return (Cells){{a.word[0] >> step | a.word[1] << (64 - step), a.word[1] >> step | a.word[2] << (64 - step),
                    a.word[2] >> step}};
}

/* The board. */

/* Inline, so that the steps are constants where the stride is one. */
#define INLINE static inline __attribute__((always_inline))

INLINE Cells beyond_runs_along(Cells own, Cells opponent, int step, Cells reached) {
    for (Cells run = both(up(own, step), opponent); any(run); run = both(run, opponent))
        reached = either(reached, run = up(run, step));
    for (Cells run = both(down(own, step), opponent); any(run); run = both(run, opponent))
        reached = either(reached, run = down(run, step));
    return reached;
}

INLINE Cells beyond_runs_of(Cells own, Cells opponent, int stride) {
    Cells reached = beyond_runs_along(own, opponent, 1, (Cells){{0}});
    reached = beyond_runs_along(own, opponent, stride - 1, reached);
    reached = beyond_runs_along(own, opponent, stride, reached);
    reached = beyond_runs_along(own, opponent, stride + 1, reached);
    return reached;
}

static Cells beyond_runs(const Search *search, Cells own, Cells opponent) {
    if (search->stride == 10) return beyond_runs_of(own, opponent, 10);
    if (search->stride == 17) return beyond_runs_of(own, opponent, 17);
    return beyond_runs_of(own, opponent, search->stride);
}

static Cells captures(const Search *search, const Node *node, int move) {
    Cells own = node->owned[node->turn], one = node->owned[(node->turn + 2) % SEATS];
    Cells other = node->owned[(node->turn + 1) % SEATS], captured = {{0}};
    for (int line = 0; line < 4; line++)
        for (int step = search->steps[line], way = 0; way < 2; way++, step = -step) {
            int at = move + step;
            Cells run = {{0}}, opponent = at >= 0 && at < MOST_CELLS && has(one, at) ? one : other;
            for (; at >= 0 && at < MOST_CELLS && has(opponent, at); at += step) run = either(run, cell(at));
            if (at >= 0 && at < MOST_CELLS && has(own, at)) captured = either(captured, run);
        }
    return captured;
}

/* Find where each seat captures, and whose turn it is: that of the first seat from `turn` on that can. */
static void complete(const Search *search, Node *node, int turn) {
    for (int seat = 0; seat < SEATS; seat++) {
        Cells one = beyond_runs(search, node->owned[seat], node->owned[(seat + 1) % SEATS]);
        Cells other = beyond_runs(search, node->owned[seat], node->owned[(seat + 2) % SEATS]);
        node->reach[seat] = both(node->empty, either(one, other));
    }
    node->turn = NOBODY;
    for (int next = 0; next < SEATS && node->turn == NOBODY; next++) {
        int seat = (turn + next) % SEATS;
        if (search->stays[seat] && any(node->reach[seat])) node->turn = seat;
    }
}

static Node after(const Search *search, const Node *node, int move) {
    Node then = *node;
    Cells taken = either(cell(move), captures(search, node, move));
    for (int seat = 0; seat < SEATS; seat++) then.owned[seat] = without(then.owned[seat], taken);
    then.owned[node->turn] = either(then.owned[node->turn], taken);
    then.empty = without(then.empty, cell(move));
    complete(search, &then, node->turn + 1);
    return then;
}

/* The value of a position. */

static Cells dilate(const Search *search, Cells cells) {
    Cells wide = either(cells, either(up(cells, 1), down(cells, 1)));
    return either(wide, either(up(wide, search->stride), down(wide, search->stride)));
}

static int64_t smaller(int64_t one, int64_t other) { return one < other ? one : other; }
static int64_t larger(int64_t one, int64_t other) { return one > other ? one : other; }

static int64_t estimate(const Search *search, const Node *node) {
    const Board *board = &search->board;
    const int64_t *weight = search->weight + FEATURES * count(node->empty);
    Cells exposed = dilate(search, node->empty), by_corner = dilate(search, both(node->empty, board->corners));
    Cells by_rim = dilate(search, both(node->empty, board->rims));
    int64_t values[SEATS];
    for (int seat = 0; seat < SEATS; seat++) {
        Cells own = node->owned[seat], reach = node->reach[seat];
        values[seat] = weight[0] * count(own) + weight[1] * common(own, board->corners) +
                       weight[2] * common(own, board->rims) + weight[3] * common(own, board->twice) +
                       weight[4] * common(own, board->thrice) + weight[5] * common(own, exposed) +
                       weight[6] * count(reach) + weight[7] * common(reach, board->corners) +
                       weight[8] * common(reach, board->rims) + weight[9] * common(own, by_corner) +
                       weight[10] * common(own, by_rim);
    }
    values[node->turn] += weight[11];
    values[(node->turn + 1) % SEATS] += weight[12];
    int64_t one = values[search->rivals[0]], other = values[search->rivals[search->rival_count - 1]];
    return 4 * values[search->seat] - 3 * larger(one, other) - smaller(one, other);
}

static int64_t final_value(const Search *search, const Node *node) {
    int64_t least = MOST_CELLS, behind = 0;
    for (int rival = 0; rival < search->rival_count; rival++) {
        int64_t margin = count(node->owned[search->seat]) - count(node->owned[search->rivals[rival]]);
        behind += margin < 0 ? 3 : margin == 0;
        least = smaller(least, margin);
    }
    return (2 - behind) * STEP + least;
}

static bool is_of(const Entry *entry, const Entry *wanted) {
    return entry->turn == wanted->turn && same(entry->first, wanted->first) && same(entry->second, wanted->second);
}

/* Return the entry of a position, or else an unused one, or else the least deep of those where it may be. */
static Entry *find_entry(Search *search, const Entry *wanted) {
    uint64_t mixed = wanted->turn;
    for (int word = 0; word < WORDS; word++) {
        mixed = (mixed ^ wanted->first.word[word]) * 0x9E3779B97F4A7C15u;
        mixed = (mixed ^ mixed >> 29 ^ wanted->second.word[word]) * 0xBF58476D1CE4E5B9u;
    }
    Entry *least = NULL;
    for (int probe = 0; probe < PROBES; probe++) {
        Entry *entry = &search->table[((mixed >> 32) + probe) % SLOTS];
        if (!entry->depth || is_of(entry, wanted)) return entry;
        if (!least || entry->depth < least->depth) least = entry;
    }
    return least;
}

/* Write the moves in search order: the known best one, the killers of this depth, the others by history and rank. */
static int order_moves(const Search *search, const Node *node, int depth, int known, uint8_t *moves) {
    Cells left = node->reach[node->turn];
    const int64_t *history = search->history[node->turn];
    int early[3] = {known, search->killers[depth][0], search->killers[depth][1]}, many = 0;
    for (int number = 0; number < 3; number++)
        if (early[number] != NO_MOVE && has(left, early[number])) {
            moves[many++] = early[number];
            left = without(left, cell(early[number]));
        }
    int ordered = many;
    while (any(left)) {
        int move = first(left), place = many++;
        left = without(left, cell(move));
        for (; place > ordered; place--) {
            int before = moves[place - 1];
            if (history[before] > history[move] ||
                (history[before] == history[move] && search->ranks[before] >= search->ranks[move]))
                break;
            moves[place] = before;
        }
        moves[place] = move;
    }
    return many;
}

static void remember(Search *search, int turn, int depth, int move) {
    if (move != search->killers[depth][0]) {
        search->killers[depth][1] = search->killers[depth][0];
        search->killers[depth][0] = move;
    }
    search->history[turn][move] += depth * depth;
}

static int64_t search_node(Search *search, const Node *node, int depth, int64_t alpha, int64_t beta) {
    tick(&search->meter);
    if (node->turn == NOBODY) return final_value(search, node);
    if (depth == 0) {
        search->shortened = true;
        return estimate(search, node);
    }
    Entry now = {.first = either(node->owned[0], node->owned[2]), .second = either(node->owned[1], node->owned[2]),
                 .turn = node->turn};
    const Entry *entry = find_entry(search, &now);
    int known = NO_MOVE;
    if (entry->depth && is_of(entry, &now)) {
        if (entry->depth >= depth && (entry->bound == EXACT || (entry->bound == AT_LEAST && entry->value >= beta) ||
                                      (entry->bound == AT_MOST && entry->value <= alpha))) {
            search->shortened |= entry->depth < TO_THE_END;
            return entry->value;
        }
        known = entry->move;
    }
    bool shortened = search->shortened, mine = node->turn == search->seat;
    int64_t best = mine ? -INFINITE : INFINITE, low = alpha, high = beta;
    uint8_t moves[MOST_CELLS];
    int found = NO_MOVE, many = order_moves(search, node, depth, known, moves);
    search->shortened = false;
    for (int number = 0; number < many && low < high; number++) {
        Node then = after(search, node, moves[number]);
        int64_t value = search_node(search, &then, depth - 1, low, high);
        if (mine ? value > best : value < best) {
            best = value;
            found = moves[number];
            if (mine)
                low = larger(low, value);
            else
                high = smaller(high, value);
        }
        if (low >= high) remember(search, node->turn, depth, moves[number]);
    }
    now.value = best;
    now.depth = search->shortened ? depth : TO_THE_END;
    now.bound = best >= beta ? AT_LEAST : best <= alpha ? AT_MOST : EXACT;
    now.move = found;
    *find_entry(search, &now) = now;
    search->shortened |= shortened;
    return best;
}

/* The methods: what Python sees is in compiled.pyi. */

static int read_cells(PyObject *bytes, Cells *found, int many) {
    if (PyBytes_Size(bytes) != many * (Py_ssize_t)sizeof(Cells)) {
        PyErr_SetString(PyExc_ValueError, "another number of sets of cells");
        return -1;
    }
    memcpy(found, PyBytes_AsString(bytes), many * sizeof(Cells));
    return 0;
}

/* Read a position in which the seat `turn` is to move, or the next one that can. */
static int read_node(const Search *search, PyObject *bytes, int turn, int depth, Node *node) {
    if (read_cells(bytes, node->owned, SEATS) < 0) return -1;
    Cells owned = either(node->owned[0], either(node->owned[1], node->owned[2]));
    if (turn < 0 || turn >= SEATS || depth < 0 || depth > MOST_CELLS || any(without(owned, search->board.board))) {
        PyErr_SetString(PyExc_ValueError, "too deep, or not a position");
        return -1;
    }
    node->empty = without(search->board.board, owned);
    complete(search, node, turn);
    return 0;
}

static PyObject *search_rank(Search *search, PyObject *args) {
    PyObject *bytes, *list;
    int turn, depth;
    uint8_t choices[MOST_CELLS], *ranked = search->ranked;
    Node node;
    if (!PyArg_ParseTuple(args, "SiO!i", &bytes, &turn, &PyList_Type, &list, &depth)) return NULL;
    if (read_node(search, bytes, turn, depth, &node) < 0) return NULL;
    Py_ssize_t many = PyList_Size(list);
    for (Py_ssize_t at = 0; at < many; at++) {
        long move = PyLong_AsLong(PyList_GetItem(list, at));
        if (PyErr_Occurred()) return NULL;
        if (at >= MOST_CELLS || move < 0 || move >= MOST_CELLS || node.turn == NOBODY ||
            !has(node.reach[node.turn], move))
            return PyErr_Format(PyExc_ValueError, "the seat cannot move there: %ld", move);
        ranked[at] = choices[at] = move;
    }
    volatile int64_t alpha = -INFINITE;
    search->shortened = false;
    if (setjmp(search->meter.stop) == 0) {
        for (Py_ssize_t at = 0; at < many; at++) {
            Node then = after(search, &node, choices[at]);
            int64_t value = search_node(search, &then, depth, alpha, INFINITE);
            if (value <= alpha) continue;
            alpha = value;
            uint8_t *place = memchr(ranked, choices[at], many);
            memmove(ranked + 1, ranked, place - ranked);
            ranked[0] = choices[at];
        }
    }
    PyObject *type, *error, *traceback;
    PyErr_Fetch(&type, &error, &traceback); /* what ended the search, if anything */
    for (Py_ssize_t at = 0; at < many; at++) {
        PyObject *move = PyLong_FromLong(ranked[at]);
        if (!move || PyList_SetItem(list, at, move) < 0) return NULL;
    }
    PyErr_Restore(type, error, traceback);
    if (PyErr_Occurred()) return NULL;
    return Py_BuildValue("(LO)", (long long)alpha, search->shortened ? Py_True : Py_False);
}

static PyObject *search_value(Search *search, PyObject *args) {
    PyObject *bytes;
    int turn, depth;
    Node node;
    if (!PyArg_ParseTuple(args, "Sii", &bytes, &turn, &depth)) return NULL;
    if (read_node(search, bytes, turn, depth, &node) < 0) return NULL;
    search->shortened = false;
    if (setjmp(search->meter.stop)) return NULL;
    int64_t value = search_node(search, &node, depth, -INFINITE, INFINITE);
    return Py_BuildValue("(LO)", (long long)value, search->shortened ? Py_True : Py_False);
}

static int search_init(Search *search, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"allow", "cells", "stride", "weights", "ranks", "seat", "staying", NULL};
    PyObject *allow, *cells, *weights, *ranks;
    int stays[SEATS];
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OSiSSi(ppp)", names, &allow, &cells, &search->stride, &weights, &ranks,
                                     &search->seat, &stays[0], &stays[1], &stays[2]))
        return -1;
    if (read_cells(cells, &search->board.board, sizeof(Board) / sizeof(Cells)) < 0) return -1;
    search->rival_count = 0;
    for (int seat = 0; seat < SEATS; seat++) {
        search->stays[seat] = stays[seat];
        if (stays[seat] && seat != search->seat && search->rival_count < 2) search->rivals[search->rival_count++] = seat;
    }
    int many = count(search->board.board);
    if (search->table || search->stride < 2 || search->stride > 62 ||
        search->seat < 0 || search->seat >= SEATS || !search->rival_count ||
        PyBytes_Size(weights) != (many + 1) * FEATURES * (Py_ssize_t)sizeof(int64_t) ||
        PyBytes_Size(ranks) != (Py_ssize_t)sizeof search->ranks) {
        PyErr_SetString(PyExc_ValueError, "a second initialization, or a board of another size");
        return -1;
    }
    memcpy(search->ranks, PyBytes_AsString(ranks), sizeof search->ranks);
    memset(search->killers, NO_MOVE, sizeof search->killers);
    search->steps[0] = 1;
    for (int step = 1; step < 4; step++) search->steps[step] = search->stride - 2 + step;
    search->table = calloc(SLOTS, sizeof *search->table);
    if (!search->table) {
        PyErr_NoMemory();
        return -1;
    }
    search->meter.allow = Py_NewRef(allow);
    search->weights = Py_NewRef(weights);
    search->weight = (const int64_t *)PyBytes_AsString(weights);
    return 0;
}

static void search_dealloc(Search *search) {
    Py_XDECREF(search->meter.allow);
    Py_XDECREF(search->weights);
    free(search->table);
    free_object((PyObject *)search);
}

static PyMethodDef search_methods[] = {
    {"rank", (PyCFunction)search_rank, METH_VARARGS, NULL},
    {"value", (PyCFunction)search_value, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot search_slots[] = {
    {Py_tp_init, search_init}, {Py_tp_dealloc, search_dealloc}, {Py_tp_methods, search_methods}, {0, NULL}};

static PyType_Spec search_spec = {"service.domain.search.compiled.Search", sizeof(Search), 0, Py_TPFLAGS_DEFAULT,
                                  search_slots};

static int add_to_module(PyObject *module) {
    return add_type(module, &search_spec);
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, add_to_module}, {0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "compiled", NULL, 0, NULL, module_slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_compiled(void) { return PyModuleDef_Init(&module); }
