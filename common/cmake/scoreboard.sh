#!/bin/sh
# The scoreboard: per topic what is done, wrong and open, then the next exercise and its first hint.
# CTest runs it after the tests, from CTestCustom.cmake. Usage: scoreboard.sh ROOT SUBMITTED BUILD_DIR BACKEND
root=$1 submitted=$2 build=$3 backend=$4

# CTest reads our output through a pipe: whether a person watches is seen at CTest itself.
colour=no
case ${KIT_COLOR:-$(readlink "/proc/$PPID/fd/1")} in
    /dev/pts/* | /dev/tty* | always) [ -n "${NO_COLOR:-}" ] || colour=yes ;;
esac
case ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} in
    *[Uu][Tt][Ff]*) blocks=yes ;;
    *) blocks=no ;;
esac

while read -r topic exercise test; do
    result=$build/results/$test source=$submitted/$topic/$exercise.cu
    word=ungraded said=
    if [ -f "$result" ]; then
        { read -r word; read -r said; } <"$result"
        if [ "$source" -nt "$result" ]; then word=edited said=; fi
    fi
    if [ "$word" = open ]; then  # the first gap in the order of the tasks, not of the run
        gap=$(sed -n 's/^[^/]*KIT_TODO(\([0-9]*\).*/\1/p' "$source" | sort -n | head -n 1)
        [ -z "$gap" ] || said="TODO($gap)"
    fi
    printf '%s\t%s\t%s\t%s\n' "$topic" "$exercise" "$word" "$said"
done <"$build/scoreboard.txt" | awk -F '\t' -v root="$root" -v edit="${submitted#"$root"/}" -v backend="$backend" -v colour="$colour" -v blocks="$blocks" '
    function paint(code, text) { return colour == "yes" && text != "" ? sprintf("\033[%sm%s\033[0m", code, text) : text }
    function repeat(text, count,    line) { while (count-- > 0) line = line text; return line }

    # One cell at least for everything that is not zero; the rest in proportion.
    function bar(done, wrong, skipped, open,    cells, all, d, w, s) {
        cells = 24; all = done + wrong + skipped + open
        d = share(done, all, cells); w = share(wrong, all, cells); s = share(skipped, all, cells)
        while (d + w + s > cells - (open > 0)) { if (d >= w && d >= s) d--; else if (w >= s) w--; else s-- }
        if (open == 0 && d > 0) d = cells - w - s
        return paint(32, repeat(full, d)) paint(31, repeat(bad, w)) paint(33, repeat(dash, s)) \
               paint(2, repeat(empty, cells - d - w - s))
    }
    function share(part, all, cells) { return part == 0 ? 0 : part * cells < all ? 1 : int(part * cells / all) }

    function row(name, done, wrong, open, skipped) {
        printf "  %-20s %s  %5d %6s %5d%s\n", name, bar(done, wrong, skipped, open), done,
               (wrong ? paint(31, sprintf("%6d", wrong)) : sprintf("%6d", 0)), open, (any_skipped ? sprintf(" %8d", skipped) : "")
    }

    # Prints text behind a label, broken at 78 columns.
    function entry(label, text,    words, count, i, line) {
        count = split(text, words, " "); line = sprintf("        %-7s", label)
        for (i = 1; i <= count; i++) {
            if (length(line) + 1 + length(words[i]) > 78) { print line; line = sprintf("        %-7s", "") }
            line = line " " words[i]
        }
        print line
    }

    # Finds the task and its first hint in the exercise README: "## name", "### Task k: title", then details.
    function read_hint(file, exercise, number,    line, here, at_task, in_hint, head) {
        task = hint = ""
        while ((getline line < file) > 0) {
            sub(/\r$/, "", line)
            if (line ~ /^## /) {
                head = line; gsub(/[`#:,]/, " ", head); sub(/^ +/, "", head); sub(/ .*/, "", head)
                here = (head == exercise); at_task = 0; continue
            }
            if (!here) continue
            if (line ~ /^### /) {
                at_task = (line ~ ("^### +Task " number "([^0-9]|$)"))
                if (at_task) { task = line; sub(/^#+ +/, "", task) }
                continue
            }
            if (!at_task) continue
            if (line ~ /<summary>.*Hint 1/) { in_hint = 1; sub(/.*<\/summary>/, "", line) }
            if (!in_hint) continue
            if (line ~ /<\/details>/) { sub(/<\/details>.*/, "", line); hint = hint " " line; break }
            hint = hint " " line
        }
        close(file)
        gsub(/<[^>]*>|\*\*/, "", hint); gsub(/[ \t]+/, " ", hint); sub(/^ /, "", hint)
    }

    BEGIN {
        if (blocks == "yes") { full = "█"; bad = "▓"; dash = "▒"; empty = "░"; rule = "─" }
        else { full = "#"; bad = "x"; dash = "-"; empty = "."; rule = "-" }
        # An exercise with several tests is as good as the worst of them.
        rank["pass"] = 1; rank["skip"] = 2; rank["ungraded"] = 3; rank["edited"] = 4; rank["open"] = 5
        rank["wrong"] = 6; rank["broken"] = 7
    }
    {
        key = $1 "/" $2
        if (!(key in word)) { order[++exercises] = key; topic_of[key] = $1; name_of[key] = $2 }
        if (!($1 in seen)) { seen[$1] = 1; topics[++count] = $1 }
        if (rank[$3] > rank[word[key]]) { word[key] = $3; said[key] = $4 }
    }
    END {
        if (exercises == 0) exit
        for (i = 1; i <= exercises; i++) {
            key = order[i]; w = word[key]
            kind = w == "pass" ? "done" : w == "wrong" || w == "broken" ? "wrong" : w == "skip" ? "skipped" : "open"
            total[topic_of[key], kind]++; total["all", kind]++
            if (kind == "skipped") any_skipped = 1
            if (kind != "done" && kind != "skipped" && next_one == "") next_one = key
        }
        print ""
        printf "  %s  graded on the %s backend\n\n", paint(1, "CUDA course"), backend
        printf "  %-20s %-24s  %5s %6s %5s%s\n", "topic", "", "done", "wrong", "open", (any_skipped ? "  skipped" : "")
        for (i = 1; i <= count; i++) {
            t = topics[i]; row(t, total[t, "done"], total[t, "wrong"], total[t, "open"], total[t, "skipped"])
        }
        print "  " repeat(rule, 66 + (any_skipped ? 9 : 0))
        row("all", total["all", "done"], total["all", "wrong"], total["all", "open"], total["all", "skipped"])
        print ""
        if (next_one == "") {
            if (any_skipped) print "  Nothing is left that this machine can grade.\n"
            else print "  " paint("1;32", "All " exercises " exercises are done.") "\n"
            exit
        }
        topic = topic_of[next_one]; name = name_of[next_one]; w = word[next_one]; number = 1
        if (match(said[next_one], /TODO\([0-9]+\)/)) number = substr(said[next_one], RSTART + 5, RLENGTH - 6)
        read_hint(root "/exercises/" topic "/README.md", name, number)
        state = w == "open" ? "TODO(" number ") is open" : w == "wrong" ? "is wrong: its verdict is above" : \
                w == "broken" ? "does not compile" : w == "edited" ? "was edited since it was graded" : "was not graded yet"
        print "  " paint(1, "Next: " next_one) ", " state
        entry("edit", edit "/" topic "/" name ".cu")
        if (task != "") entry("task", task)
        if (hint != "") entry("hint", hint)
        entry("more", "exercises/" topic "/README.md")
        short = topic; sub(/^[0-9]+_/, "", short)
        entry("grade", "ctest --preset exercises -R " short "." name)
        print ""
    }'
