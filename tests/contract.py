#!/usr/bin/env python3
"""A whole fetch held against GitHub's own contracts.

Between the program and ghfake stand a validating proxy made from GitHub's REST description (a
request or answer off that description is named in the header `sl-violations`) and a check of
every GraphQL document against GitHub's schema. Needs node with npm, and the contracts:

    cargo build --features test-support --bins
    CASEFILE_SHARED=<folder> python3 tests/contract.py [CAPTURE.json ...]

Ends with 0 when nothing is off, and prints what was sent.
"""
import http.client, http.server, json, os, pathlib, re, socket, subprocess, sys, tempfile, threading, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CONTRACTS = pathlib.Path(os.environ["CASEFILE_SHARED"]) / "contracts"
BINARIES = ROOT / "target" / "debug"
seen, documents, off = [], {}, []


def free_port():
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        return it.getsockname()[1]


def wait_for(port, patience):
    end = time.time() + patience
    while time.time() < end:
        with socket.socket() as it:
            if it.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    sys.exit(f"nothing listens on port {port}")


class Router(http.server.BaseHTTPRequestHandler):
    """REST goes through the validating proxy, GraphQL straight to ghfake; both are noted."""

    protocol_version = "HTTP/1.1"
    rest = graphql = None

    def do(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        is_query = self.path == "/graphql"
        if is_query:
            text = json.loads(body)["query"]
            documents[re.search(r"query (\w+)", text).group(1)] = text
        upstream = http.client.HTTPConnection("127.0.0.1", self.graphql if is_query else self.rest)
        headers = {k: v for k, v in self.headers.items() if k.lower() not in ("host", "accept-encoding")}
        upstream.request(self.command, self.path, body, headers)
        answer = upstream.getresponse()
        content = answer.read()
        seen.append(f"{self.command} {self.path} {answer.status}")
        violations = answer.getheader("sl-violations")
        if violations or (answer.status == 422 and not is_query):
            off.append(f"{self.command} {self.path}: {violations or content[:300]}")
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "content-length", "connection"):
                self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do

    def log_message(self, *_):
        pass


def main():
    captures = sys.argv[1:] or [str(ROOT / "assets/demo/capture.json")]
    names = []
    arguments = ["--synthetic", "130,120,101"]
    for path in captures:
        capture = json.load(open(path))
        names.append(f"{capture['repository']}#{capture['pull_request']['number']}")
        arguments += ["--capture", path]
    names.append("example/huge#1")
    fake = subprocess.Popen([BINARIES / "ghfake", *arguments], stdout=subprocess.PIPE, text=True)
    Router.graphql = int(fake.stdout.readline().rsplit(":", 1)[1])
    Router.rest = free_port()
    proxy = subprocess.Popen(
        ["bash", CONTRACTS / "mock_github.sh", str(Router.rest), "proxy", f"http://127.0.0.1:{Router.graphql}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    router = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Router)
    threading.Thread(target=router.serve_forever, daemon=True).start()
    try:
        wait_for(Router.rest, 180)
        folder = pathlib.Path(tempfile.mkdtemp())
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "CASEFILE_HOME": str(folder / "data"),
            "CASEFILE_FORGE_API": f"http://127.0.0.1:{router.server_port}", "CASEFILE_TOKEN": "ghp_contract0contract0",
        }
        run = lambda *it: subprocess.run([BINARIES / "casefile", *it], env=environment, cwd=folder, capture_output=True, text=True)
        failed = []
        for name in names:
            for _ in range(2):  # the second asks whether anything has changed
                done = run("--batch", name, "--json")
                if done.returncode:
                    failed.append(f"{name}: exit {done.returncode}: {done.stdout[-800:]}")
        doctor = run("doctor", "--json")
        if doctor.returncode not in (0, 3):
            failed.append(f"doctor: {doctor.stdout} {doctor.stderr}")
        # Without GraphQL the same is read over REST.
        fault = [{"when": {"path": "/graphql", "times": 0}, "do": {"html": 503}}]
        control = http.client.HTTPConnection("127.0.0.1", Router.graphql)
        control.request("POST", "/_fault", json.dumps(fault))
        control.getresponse().read()
        done = run("capture", names[-1], "-o", "rest.json")
        if done.returncode:
            failed.append(f"over REST: exit {done.returncode}: {done.stderr}")
        for name, text in documents.items():
            (folder / f"{name}.graphql").write_text(text)
        subprocess.run(["npm", "install", "--no-save", "--no-audit", "--no-fund", "graphql@16"], cwd=folder, check=True, capture_output=True)
        checked = subprocess.run(
            ["node", CONTRACTS / "check_queries.mjs", *map(str, sorted(folder.glob("*.graphql")))],
            cwd=folder, capture_output=True, text=True)
        print(checked.stdout, end="")
        rest = [it for it in seen if "/graphql" not in it]
        print(f"{len(rest)} REST requests through the validating proxy, {len(seen) - len(rest)} GraphQL requests")
        print("kinds:", *sorted({re.sub(r"\?.*| \d+$", "", re.sub(r"\d+", "N", it)) for it in rest}), sep="\n  ")
        for it in off + failed:
            print("OFF", it)
        sys.exit(1 if off or failed or checked.returncode or not rest else 0)
    finally:
        router.shutdown()
        fake.kill()
        os.killpg(proxy.pid, 15)


main()
