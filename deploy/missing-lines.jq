# The lines that are missing in audit trails: jq -cnR -f missing-lines.jq audit.jsonl
#
# For each start of a replica, its instance: the numbers of the first and the last line, how many are missing between them, and whether the last
# line is the one of a shutdown. An instance is complete if first is 1, missing 0 and stopped true. One that runs or was killed has no last line.
# Order, duplicates and other programs' lines do not matter, so several files or pods can be checked at once:
#   zcat -f audit.jsonl* | jq -cnR -f missing-lines.jq
#   kubectl -n tokend logs -l app.kubernetes.io/name=tokend --prefix=false --tail=-1 | jq -cnR -f missing-lines.jq
[inputs | fromjson? | select(.instance?)] | group_by(.instance)[] | unique_by(.sequence)
| (.[-1].sequence - .[0].sequence + 1 - length) as $missing
| {instance: .[0].instance, first: .[0].sequence, last: .[-1].sequence, $missing, stopped: (.[-1].event == "stopped")}
