# What run and ../clients-all/run share: the program, in a folder that goes at the end, and
# play. Sourced in the folder of the script, by bash.
clients=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
server=
tool_errors=contract

finish() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  wait
  rm -rf "$scratch"
}
trap finish EXIT
mkdir "$scratch/out"

# A registry's mirror may lag behind for a moment: three tries.
thrice() { "$@" || "$@" || "$@"; }

# venv NAME REQUIREMENT...: an environment of Python with packages, as pip's arguments.
venv() {
  python3 -m venv "$scratch/$1"
  thrice "$scratch/$1/bin/pip" install -q --no-compile --disable-pip-version-check "${@:2}"
}

# play NAME COMMAND...: runs a client against a new instance with the setting $tool_errors;
# {} is replaced by its address. What a client prints beside the steps is left out. Later
# instances get the cache of the first, so that only that one encodes the sample's texts.
play() {
  local name=$1 url=
  [ "$tool_errors" = contract ] || name=$1_$tool_errors
  shift
  mkdir "$scratch/data-$name"
  cp "$scratch/meaning.cache" "$scratch/data-$name" 2>/dev/null || true
  env -i HOME="$scratch" PATH="$PATH" FRONTDESK_ADDR=127.0.0.1:0 FRONTDESK_DATA="$scratch/data-$name" \
    FRONTDESK_LOG_FORMAT=json FRONTDESK_MCP_TOOL_ERRORS="$tool_errors" \
    "$scratch/frontdesk" serve >"$scratch/$name.log" 2>&1 &
  server=$!
  for _ in $(seq 300); do
    url=$(grep -oE 'http://(127\.0\.0\.1|localhost):[0-9]+' "$scratch/$name.log" | head -n 1) && break
    sleep 0.1
  done
  HOME="$scratch" timeout 900 "${@//\{\}/$url}" 2>"$scratch/$name.err" |
    grep -E $'^(website|workspace|assistant)\t' >"$scratch/out/$name.txt" || true
  [ -s "$scratch/out/$name.txt" ] || { echo "$name showed nothing:"; tail -n 20 "$scratch/$name.err"; }
  kill "$server"
  wait "$server" || true
  server=
  cp "$scratch/data-$name/meaning.cache" "$scratch" 2>/dev/null || true
}
