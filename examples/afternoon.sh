#!/usr/bin/env bash
# From an empty folder to the first true red of an agent, and its fix.
#
#     examples/afternoon.sh [WHAT]      WHAT is given to pip install (default: pytest-webretrieval)
#
# No key, no account, and no network but the package index. Ends with 0 only when the agent's first run is red for the
# reason that is in its code, and green once that is mended.
set -euo pipefail

what=${1:-pytest-webretrieval}
[ -e "$what" ] && what=$(cd "$(dirname "$what")" && pwd)/$(basename "$what")
examples=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
system='--webretrieval-system=agent:answer'
reason='your code: the page that was fetched says published, and what the model was given of it does not'
began=$SECONDS

for tool in python3 patch; do
    command -v "$tool" > /dev/null || { echo "afternoon: $tool is needed and not here" >&2; exit 2; }
done

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"

run() {
    printf '\n$ %s\n' "$*"
    "$@"
}

fail() {
    printf '\nafternoon: %s\n' "$1" >&2
    exit 1
}

echo "# An empty folder, a fresh environment."
run python3 -m venv .venv
run source .venv/bin/activate
run python -m pip install --quiet --disable-pip-version-check "$what"

printf '\n# The agent: its code and its requirements, as its team wrote them.\n'
run cp "$examples/agents/openai_loop/agent.py" "$examples/agents/openai_loop/requirements.txt" .
run python -m pip install --quiet --disable-pip-version-check -r requirements.txt

printf '\n# One case.\n'
status=0
run pytest --lane=fixture "$system" --webretrieval-case=web-retrieval-v1::K01 | tee red.txt || status=$?
[ "$status" -eq 1 ] || fail "the first run should be red (pytest's exit status 1), and ended with $status"
tr -s ' \n' '  ' < red.txt | grep -qF "$reason" || fail "the first run is red for another reason than the one known"

printf '\n# trafilatura leaves out <time>, and with it each date that a page marks up as one.\n'
cat > time.patch << 'PATCH'
--- agent.py
+++ agent.py
@@ -103,5 +103,6 @@
     kind = response.headers.get("content-type", "")
     if "html" in kind:
-        text = trafilatura.extract(response.text, url=url, include_links=True, include_tables=True)
+        html = re.sub(r"</?time\b[^>]*>", "", response.text)
+        text = trafilatura.extract(html, url=url, include_links=True, include_tables=True)
         return f"{url}\n\n{(text or 'The page has no text; it may need a browser.')[:MOST_TEXT]}"
     if kind.startswith(("text/", "application/json")):
PATCH
run cat time.patch
run patch --input=time.patch

printf '\n# The same case again.\n'
run pytest --lane=fixture "$system" --webretrieval-case=web-retrieval-v1::K01 || fail "the agent is mended and still red"

printf '\n# All thirty: what is red now is the next thing to look at.\n'
status=0
run pytest --lane=fixture "$system" --tb=no || status=$?
[ "$status" -le 1 ] || fail "the last run did not come to its end (pytest's exit status $status)"

printf '\n# %d min %d s\n' $(((SECONDS - began) / 60)) $(((SECONDS - began) % 60))
