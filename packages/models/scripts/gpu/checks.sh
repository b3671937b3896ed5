# The checks in the order of their worth; run.sh reads this. Those of correctness run side by side while the addon compiles.
# shellcheck shell=bash disable=SC2046

check unit 90 $(app unit --device cuda) &
check golden 120 $(app golden --device cuda --folder "$VLGYM_GOLDEN") &
check nccl 60 $(app nccl --device cuda) &
check toy 60 $(app against-transformers --device cuda --rounds 1 --folder "$work/toy" --out "$results/toy.json") &
wait $(jobs -p | grep -v "^$building$")

bench() { # SIZE SECONDS ROUNDS MINUTES
  mkdir -p "$memory/$1"
  check "transformers $1" "$2" $(app against-transformers --size "$1" --device cuda --dtype bfloat16 --threads 8 --rounds "$3" \
    --minutes "$4" --folder "$memory/$1" --out "$results/$1.json")
}
if [ "$mode" = smoke ]; then
  bench 3b 70 1 0.4
else
  bench 3b 120 2 1.2
  bench 7b 130 2 1.2
fi
