#!/usr/bin/env bash
# Stages of the check on a GPU: A equality of six games, B the other games and rates, C training.
#
#     OUT=FOLDER tests/device/run.sh A B C
#
# Each step has a time limit and writes JSON to $OUT as it goes; a timeout keeps the results before
# it. Stage A takes at most 90 seconds, B 290 and C 240: 10.4 minutes in all.
#
# With DRY=1 each step only finds its module and prints its command; this needs no GPU.
#
# Carry two folders, at most 64 MiB together:
#
#     .whl/     wheels of lark, jsonschema, jsonschema-specifications, referencing, rpds-py, pgx and
#               svgwrite (1.1 MB), installed into a folder of their own; llvmlite is not carried
#     .cubins/  NAME.cubin by `python -m tests.benchmarks.gpu_assembly .cubins`, for the capability
#               of the card, used in place of the driver's assembler; a missing one is assembled
set -u
: "${OUT:?set OUT to a folder for the results}"
cd "$(dirname "$0")/../.." || exit 1
SITE=${SITE:-/tmp/site}
export PYTHONUNBUFFERED=1 PYTHONPATH="$PWD:$SITE${PYTHONPATH:+:$PYTHONPATH}"
export XLA_PYTHON_CLIENT_PREALLOCATE=false
cubins=
[ -d .cubins ] && cubins=.cubins
failed=0

if compgen -G '.whl/*.whl' >/dev/null && [ ! -d "$SITE" ]; then
    python3 -m pip install -q --no-index --no-deps --no-compile --target "$SITE" .whl/*.whl || exit 1
fi

# step SECONDS MODULE ARGUMENTS...: run a module of the folder tests within a time limit.
step() {
    local limit=$1 module=$2 begun=$SECONDS code=0
    shift 2
    if [ -n "${DRY:-}" ]; then
        python3 -c "from importlib.util import find_spec; assert find_spec('$module')" || code=$?
        echo "timeout $limit python3 -m $module $*"
        [ "$code" -eq 0 ] || failed=1
        return
    fi
    timeout "$limit" python3 -m "$module" "$@" >>"$OUT/log" 2>&1 || code=$?
    echo "$module $*: exit code $code, $((SECONDS - begun)) s" | tee -a "$OUT/log"
    [ "$code" -eq 0 ] || failed=1
}

# check SECONDS NAME: run compute-sanitizer on a few games, if it is installed.
check() {
    [ -z "${DRY:-}" ] || return 0
    command -v compute-sanitizer >/dev/null || return 0
    timeout "$1" compute-sanitizer --error-exitcode 9 python3 -m rulesengine playout "$2" 500 \
        --device cuda >>"$OUT/log" 2>&1
    echo "compute-sanitizer $2: exit code $?" | tee -a "$OUT/log"
}

for stage in "$@"; do
    case $stage in
    A) step 90 tests.device.equality "$OUT/equality-a.json" six $cubins ;;
    B)
        step 100 tests.device.equality "$OUT/equality-b.json" rest $cubins
        step 70 tests.benchmarks.gpu_rates "$OUT/rates.json"
        step 60 tests.benchmarks.pgx_rates "$OUT/pgx.json"
        for name in connect-four nogo english-draughts; do check 20 "$name"; done
        ;;
    C)
        step 240 examples.zero connect-four --device cuda --games 2048 --playouts 32 --seconds 120 \
            --matches 400 --rival 200 --out "$OUT/training.json"
        ;;
    *)
        echo "unknown stage: $stage" >&2
        exit 2
        ;;
    esac
done
exit "$failed"
