#!/usr/bin/env bash
# Stages of the check on a GPU: A equality of six games, B the other games and rates.
#
#     OUT=FOLDER tests/device/run.sh A B
#
# Each stage has a time limit and writes JSON to $OUT after each step, so that a timeout keeps the
# results before it. A script that does not exist is reported and counts as a failure.
set -u
: "${OUT:?set OUT to a folder for the results}"
cd "$(dirname "$0")/../.." || exit 1
SITE=${SITE:-/tmp/site}
export PYTHONUNBUFFERED=1 PYTHONPATH="$PWD:$SITE${PYTHONPATH:+:$PYTHONPATH}"
export XLA_PYTHON_CLIENT_PREALLOCATE=false
failed=0

if compgen -G '.whl/*.whl' >/dev/null && [ ! -d "$SITE" ]; then
    python3 -m pip install -q --no-index --no-deps --no-compile --target "$SITE" .whl/*.whl || exit 1
fi

# step SECONDS SCRIPT ARGUMENTS...: run a script of the folder tests within a time limit.
step() {
    local limit=$1 script=tests/$2 begun=$SECONDS code=0
    shift 2
    if [ ! -f "$script" ]; then
        echo "missing: $script" | tee -a "$OUT/log"
        failed=1
        return
    fi
    timeout "$limit" python3 "$script" "$@" >>"$OUT/log" 2>&1 || code=$?
    echo "$script: exit code $code, $((SECONDS - begun)) s" | tee -a "$OUT/log"
    [ "$code" -eq 0 ] || failed=1
}

for stage in "$@"; do
    case $stage in
    A) step 90 device/equality.py "$OUT/equality-a.json" six ;;
    B)
        step 90 device/equality.py "$OUT/equality-b.json" rest
        step 75 device/rates.py "$OUT/rates.json"
        step 75 benchmarks/pgx_rates.py "$OUT/pgx.json"
        ;;
    *)
        echo "unknown stage: $stage" >&2
        exit 2
        ;;
    esac
done
exit "$failed"
