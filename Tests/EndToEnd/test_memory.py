"""A limit on memory: the process ends, and no token that anybody got is missing in the audit trail."""

import http.client
import json
import resource
import threading

import pytest

from production import until

PATH = "/token/driver/v-"


class Load:
    """Callers that keep their connections, each with tokens for other IDs; remembers the IDs of those that it got."""

    def __init__(self, service, callers):
        self.service = service
        self.got, self.lock = [], threading.Lock()
        self.threads = [threading.Thread(target=self.run, args=(number,)) for number in range(callers)]
        for thread in self.threads:
            thread.start()

    def run(self, caller):
        connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=30)
        try:
            for number in range(500):
                name = f"v-{caller}-{number}"
                connection.request("GET", f"/token/driver/{name}", headers={"X-API-Key": self.service.site.key})
                answer = connection.getresponse()
                body = answer.read()
                if answer.status == 200 and json.loads(body)["token"]:
                    with self.lock:
                        self.got.append(name)
        except (OSError, http.client.HTTPException):
            # The process has ended.
            pass

    def wait(self):
        for thread in self.threads:
            thread.join(120)
        return set(self.got)


@pytest.mark.alone
def test_process_that_runs_out_of_memory_loses_no_line(site, serve):
    site.configuration["limits"] = {"caller": {"perMinute": 10_000_000, "burst": 1_000_000}}
    service = serve(site, level="info")
    assert service.ask(f"{PATH}1", key=site.key).status == 200
    # A little more than it has: some hundred connections and tokens later it needs more. Its memory and not its address
    # space (`prlimit --as`), of which the allocator has reserved plenty; the allocation that fails is the same.
    status = dict(line.split(":\t", 1) for line in open(f"/proc/{service.process.pid}/status") if ":\t" in line)
    limit = (int(status["VmData"].split()[0]) + 1_024) * 1024
    load = Load(service, 100)
    resource.prlimit(service.process.pid, resource.RLIMIT_DATA, (limit, limit))
    got = load.wait()
    until(lambda: service.process.poll() is not None, "the process to end")
    # By a trap of the language's runtime or of its allocator, at once, and not by an error that leaves it half alive.
    assert service.process.returncode < 0, service.process.returncode
    print(f"{len(got)} tokens, then signal {-service.process.returncode}")

    # The next process continues the trail; what was not written whole was for a token that nobody got.
    again = serve(site, level="info")
    assert again.ask(f"{PATH}2", key=site.key).status == 200
    assert again.stop() == 0
    assert site.verify_audit().returncode == 0
    recorded = {name for line in site.audit() if line["decision"] == "allow" for name in line["ids"]}
    assert got and got <= recorded
