# compute-sanitizer's reports in the words of the executor: one line for each kind of mistake and place.
# Usage: awk -v source=FILE.cu -f sanitizer_words.awk < output of the tool      (source: where lines are quoted from)
function basename(path) { sub(/.*\//, "", path); return path }

# "line 12 of tree.cu: `text`" from "... in tree.cu:12 ..."
function place(text,    at, file) {
    if (!match(text, / in [^ ]+:[0-9]+/)) return "an unknown line"
    at = substr(text, RSTART + 4, RLENGTH - 4)
    file = at; sub(/:[0-9]+$/, "", file); sub(/.*:/, "", at)
    if (file == basename(source)) return "line " at " of " file ": `" lines[at] "`"
    return "line " at " of " file
}
# "tree" from "... at tree(const float *, float *)+0x90 in tree.cu:12"
function kernel(text) {
    sub(/.* at /, "", text); sub(/^void /, "", text); sub(/[(<+].*/, "", text); sub(/.*::/, "", text)
    return "`" text "`"
}
function thread(text) {
    if (!match(text, /thread \([0-9,]+\) in block \([0-9,]+\)/)) return "a thread"
    text = substr(text, RSTART, RLENGTH); sub(/ in block/, " of block", text)
    return text
}
function line_number(text) { sub(/^line /, "", text); sub(/ .*/, "", text); return text }
function lower_first(word) { return word == "Write" ? "writes" : "reads" }

function tell(kind, key, text) {
    if (count[kind key]++) return
    print "FAIL  " text
    page[kind] = 1
}

# What a report has said so far, once its place is known.
function finish() {
    if (what ~ /^Invalid/)
        tell("address", where, who " of " in_kernel " " (what ~ / write | atomic / ? "writes" : "reads") " " size " bytes at " where ": " \
            (detail ~ /misaligned/ ? "misaligned" : "out of bounds" near))
    else if (what ~ /^Uninitialized/)
        tell("uninitialised", where, "uninitialised read: " who " of " in_kernel " reads global memory at " where \
            ", which nobody has written")
    else if (what ~ /Divergent thread/ && where !~ /_sync\(|__syncwarp/)
        tell("barrier", where, "barrier: not all threads of the block come to __syncthreads() of " in_kernel " at " where \
            " (" who " does)")
    else if (what ~ /^Barrier error/)
        tell("warp", where, "warp: not all lanes named in the mask take part in " in_kernel " at " where " (" who " does)")
    what = ""
}

BEGIN {
    while (source != "" && (getline text < source) > 0) {
        sub(/^[ \t]+/, "", text); sub(/[ \t\r]+$/, "", text)
        lines[++n] = text
    }
}
!/^=========/ { next }
/Race reported between/ { race = $0; next }
race && / and / {
    first = place(race); second = place($0)
    a = line_number(first); b = line_number(second)
    hazards = match($0, /[0-9]+ hazards?/) ? substr($0, RSTART, RLENGTH) : ""
    sub(/ .*/, "", hazards)
    match(race, /(Read|Write) access/); does = substr(race, RSTART, 5); sub(/ .*/, "", does)
    match($0, /(Read|Write) access/); other = substr($0, RSTART, 5); sub(/ .*/, "", other)
    tell("race", first second, "race on shared memory in " kernel(race) ": one thread " lower_first(does) " it at " first \
        ", and another one " lower_first(other) " it at " second "; no barrier between " \
        (a == b ? "the two" : "line " (a + 0 < b + 0 ? a : b) " and line " (a + 0 < b + 0 ? b : a)) \
        (hazards > 1 ? " (seen " hazards " times)" : ""))
    race = ""
    next
}
/^========= (Invalid|Uninitialized|Barrier error)/ {
    finish()
    what = $0; sub(/^========= /, "", what)
    size = what; sub(/.* of size /, "", size); sub(/ .*/, "", size)
    where = who = detail = near = in_kernel = ""
    next
}
what && /^=========     at / && where == "" { where = place($0); in_kernel = kernel($0); next }
what && /Device Frame: / {  # the tool's own headers say nothing to a student: their caller does
    if (where ~ /intrinsics|\.hpp$|\.h$/ || where ~ /unknown/) { where = place($0); in_kernel = kernel(" at " substr($0, index($0, "Frame: ") + 7)) }
    next
}
what && /^=========     by / { who = thread($0); next }
what && /^=========     Access / { detail = $0; next }
what && /nearest allocation/ {
    near = $0; sub(/.*and is /, ", ", near); sub(/ at 0x[0-9a-f]+/, "", near)
    next
}
END {
    finish()
    for (kind in page) print "      see lectures/diagnoses/" kind ".md"
}
