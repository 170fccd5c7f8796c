#!/usr/bin/env bash
# kcat (Debian's kcat): produce, consume, metadata, offsets, groups. Prints PASS or FAIL for each case.
set -uo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run=$RANDOM$RANDOM
count=0
failed=0

# check NAME EXPECTED ACTUAL
check() {
  count=$((count + 1))
  if [ "$2" = "$3" ]; then
    echo "PASS $1"
  else
    failed=$((failed + 1))
    echo "FAIL $1 expected '$(head -c 200 <<< "$2")' got '$(head -c 200 <<< "$3" | tr '\n' ' ')'"
  fi
}

topic() { echo "kcat-$run-$1"; }
kcat() { timeout 60 kcat -b "$BOOTSTRAP" -q "$@" 2>> "$work/errors"; }
send() { kcat -P "$@"; }
receive() { kcat -C -e -o beginning "$@"; }

t=$(topic plain)
seq 1 500 | send -t "$t" -p 0
check records_arrive_in_order "$(seq 1 500)" "$(receive -t "$t")"
check reads_from_an_offset "$(seq 491 500)" "$(kcat -C -e -o 490 -t "$t")"
check reads_from_the_end_backwards "$(seq 496 500)" "$(kcat -C -e -o -5 -t "$t")"
check stops_after_a_count "$(seq 1 3)" "$(kcat -C -c 3 -o beginning -t "$t")"

for acks in 0 1 all; do
  t=$(topic "acks-$acks")
  seq 1 20 | send -t "$t" -p 0 -X "acks=$acks"
  # Without acks nothing tells when the records are in the log: read until they are there.
  check "acks_$acks" "$(seq 1 20)" "$(kcat -C -c 20 -o beginning -t "$t")"
done

for codec in none gzip snappy lz4 zstd; do
  t=$(topic "codec-$codec")
  seq 1 300 | send -t "$t" -p 0 -z "$codec"
  check "codec_$codec" "$(seq 1 300)" "$(receive -t "$t")"
done

t=$(topic rich)
printf 'key1:value1\nkey2:value2\n' | send -t "$t" -p 0 -K : -H one=1 -H two=2
check keys_headers_and_offsets \
  "$(printf '0 key1 one=1,two=2 value1\n1 key2 one=1,two=2 value2')" \
  "$(receive -t "$t" -f '%o %k %h %s\n')"

t=$(topic null)
printf 'key:\n' | send -t "$t" -p 0 -K : -Z
check null_values "key -1" "$(receive -t "$t" -f '%k %S')"

t=$(topic large)
head -c 700000 /dev/zero | tr '\0' 'x' > "$work/large"
send -t "$t" -p 0 "$work/large"
check whole_file_as_one_record 700000 "$(receive -t "$t" -f '%S')"

t=$(topic idempotent)
seq 1 2000 | send -t "$t" -p 0 -X enable.idempotence=true
check idempotent_producer "$(seq 1 2000)" "$(receive -t "$t")"

t=$(topic times)
before=$(date +%s%3N)
echo first | send -t "$t" -p 0
check offset_for_a_time "$t [0] offset 0" "$(kcat -Q -t "$t:0:$((before - 1000))")"

metadata=$(kcat -L -J)
check metadata_names_the_topic 1 "$(grep -o "\"topic\":\"$t\"" <<< "$metadata" | wc -l)"
check metadata_names_one_broker 1 "$(grep -o '"brokers":\[{"id":[0-9]*,"name":"[^"]*"}\]' <<< "$metadata" | wc -l)"

t=$(topic group)
seq 1 100 | send -t "$t" -p 0
check group_reads_all "$(seq 1 100)" \
  "$(kcat -G "group-$run" -c 100 -X auto.offset.reset=earliest -X enable.auto.commit=true "$t" | sort -n)"
echo 101 | send -t "$t" -p 0
check group_goes_on_where_it_was 101 "$(kcat -G "group-$run" -c 1 -X auto.offset.reset=earliest "$t")"

[ "$failed" = 0 ] || cat "$work/errors" >&2
echo "DONE $count"
[ "$failed" = 0 ]
