#!/usr/bin/env bash
# Runs the checks of a GPU on a machine with one: torch for CUDA, transformers and peft in `python3`, CMake, Ninja, g++.
#
#     bash run.sh RESULTS [SECONDS] [CHECK...]
#
# The checks, in the order of their worth, which is the default: unit golden nccl toy 3b 7b step learn. Each is a process with
# a limit of its own and gives one JSON object; none stops the others. After SECONDS (default 480) none is started. RESULTS gets
# results.jsonl, a report per comparison, and logs.tgz.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
results=$1
limit=${2:-480}
checks=${*:3}
checks=${checks:-unit golden nccl toy 3b 7b step learn}
work=${VLGYM_WORK:-/tmp/vlgym-gpu}
logs=$work/logs
mkdir -p "$results" "$work" "$logs"
started=$(date +%s)
left() { echo $((limit - $(date +%s) + started)); }
say() { echo "[$(($(date +%s) - started)) s] $*"; }
record() { echo "$1" >> "$results/results.jsonl"; echo "$1" | cut -c1-1200; }

xz -dkc "$here/node.xz" > "$work/node" && chmod +x "$work/node"
mkdir -p "$work/golden" "$work/build" "$work/app" && tar xJf "$here/app.tar.xz" -C "$work/app" && tar xJf "$here/native.tar.xz" -C "$work" && tar xJf "$here/golden.tar.xz" -C "$work/golden"
torch=$(python3 -c 'import importlib.util as u, os; print(os.path.dirname(u.find_spec("torch").origin))')
memory=$work
[ -d /dev/shm ] && [ "$(df -m --output=avail /dev/shm | tail -1)" -gt 30000 ] && memory=/dev/shm
export LD_LIBRARY_PATH=$torch/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LIBTORCH=$torch VLGYM_PYTHON=python3 HF_HUB_OFFLINE=1 PYTHONUNBUFFERED=1 TOKENIZERS_PARALLELISM=false

card=$(nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader | head -1)
say "$card, $(nproc) cores, $(df -h --output=avail "$memory" | tail -1) in $memory"
record "{\"check\":\"machine\",\"card\":\"$card\",\"cores\":$(nproc),\"date\":\"$(date -u +%F)\",\"libtorch\":\"$(sed -n "s/^__version__ = '\(.*\)'/\1/p" "$torch/version.py")\"}"

# check NAME SECONDS COMMAND...: its last line of JSON is its result
check() {
  local name=$1 seconds=$2
  shift 2
  local rest
  rest=$(left)
  if [ "$rest" -lt 5 ]; then record "{\"check\":\"$name\",\"ran\":false,\"reason\":\"the time was over\"}"; return; fi
  [ "$seconds" -gt "$rest" ] && seconds=$rest
  local from
  from=$(date +%s)
  timeout -k 5 "$seconds" "$@" > "$logs/$name.log" 2>&1 < /dev/null
  local code=$?
  local last
  last=$(grep -a '^{.*}$' "$logs/$name.log" | tail -1)
  say "$name: exit $code after $(($(date +%s) - from)) s"
  record "{\"check\":\"$name\",\"ran\":true,\"exit\":$code,\"seconds\":$(($(date +%s) - from)),\"result\":${last:-null}}"
  [ "$code" -eq 0 ] || tail -n 12 "$logs/$name.log" | cut -c1-400
}

build() {
  local from code
  from=$(date +%s)
  { cmake -G Ninja -S "$work/native" -B "$work/build" -DTORCH_ROOT="$torch" -DNODE_API_INCLUDE="$work/include" &&
    timeout 200 cmake --build "$work/build"; } > "$logs/build.log" 2>&1
  code=$?
  record "{\"check\":\"build\",\"ran\":true,\"exit\":$code,\"seconds\":$(($(date +%s) - from)),\"graphs\":$(grep -q '^CUDA_INCLUDE.*NOTFOUND' "$work/build/CMakeCache.txt" && echo false || echo true)}"
  [ "$code" -eq 0 ] || grep -a -m5 -A3 'error' "$logs/build.log"
}
loads() { VLGYM_ADDON=$1 "$work/node" -e "const m={exports:{}};process.dlopen(m,process.env.VLGYM_ADDON);if(!m.exports.cudaDeviceCount())throw Error('no device')" 2>> "$logs/load.log"; }

building=
[ -f "$work/build/vlgym.node" ] || { build & building=$!; }
addon=$work/vlgym.node
if [ -z "$building" ]; then
  addon=$work/build/vlgym.node
elif ! { [ -f "$here/vlgym.node.xz" ] && xz -dkc "$here/vlgym.node.xz" > "$addon" && loads "$addon"; }; then
  say 'waiting for the addon'
  wait $building
  addon=$work/build/vlgym.node
  loads "$addon" || { cat "$logs/load.log"; tar czf "$results/logs.tgz" -C "$work" logs; exit 1; }
fi
export VLGYM_ADDON=$addon
app() { local name=$1; shift; echo "$work/node $work/app/$name.mjs $*"; }

# `transformers NAME SECONDS FLAGS...`: speed, memory and parity against transformers and peft
transformers() {
  local name=$1 seconds=$2
  shift 2
  mkdir -p "$memory/$name"
  check "$name" "$seconds" $(app against-transformers "$@" --device cuda --folder "$memory/$name" --out "$results/$name.json")
}
run() {
  case $1 in
    unit) check unit 90 $(app unit --device cuda) ;;
    golden) check golden 120 $(app golden --device cuda --folder "$work/golden") ;;
    nccl) check nccl 120 $(app nccl --device cuda) ;;
    toy) transformers toy 60 --rounds 1 ;;
    3b | 7b) transformers "$1" 170 --size "$1" --dtype bfloat16 --threads 8 --rounds "$([ "$1" = 7b ] && echo 2 || echo 1)" --minutes 2 ;;
    step) check step 120 $(app step --device cuda --folder "$memory/7b" --steps 32 --settings 8192,16384 --minutes 1.2) ;;
    learn) learn ;;
    *) say "there is no check $1" ;;
  esac
}
# SmolLM2 travels in pieces that smollm2.py makes a folder of; it learns for the rest of the time.
learn() {
  python3 "$work/app/smollm2.py" folder "$here/smollm2" "$work/smollm2" > "$logs/smollm2.log" 2>&1 || tail -n 5 "$logs/smollm2.log"
  check learn 900 $(app learn --device cuda --folder "$work/smollm2" --examples "$here/examples.jsonl.gz" --minutes "$(awk "BEGIN { print ($(left) - 10) / 60 }")")
}

# those of correctness run side by side, while the addon compiles; those of speed have the machine for themselves
together=()
for name in $checks; do
  case $name in unit | golden | nccl | toy) run "$name" & together+=($!) ;; esac
done
[ ${#together[@]} -gt 0 ] && wait "${together[@]}"
[ -n "$building" ] && wait $building
for name in $checks; do
  case $name in unit | golden | nccl | toy) ;; *) run "$name" ;; esac
done

[ -f "$work/build/vlgym.node" ] && { loads "$work/build/vlgym.node" && record '{"check":"compiled addon loads","ran":true,"exit":0}' || record '{"check":"compiled addon loads","ran":true,"exit":1}'; }
tar czf "$results/logs.tgz" -C "$work" logs
say done
