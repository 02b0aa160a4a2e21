"""The search for secrets in all that the service writes, whoever starts it and however it ends."""

import contextlib
import http.client
import os
import re
import signal
import subprocess

# The base64url encoding of `{"` and three small letters, with which a token's header and claims begin. `eyJ` alone is in
# one of 6,000 key IDs, which are base64url too.
TOKEN = rb"eyJ[h-z0-6][YZa-f][GHWXmn23]"
# What no log, audit line, metric or refusal may hold: tokens, private keys, API keys.
MARKERS = re.compile(TOKEN + rb"|PRIVATE KEY|ftk_[0-9A-Za-z]{12}_")
# A private key's first line, in a PEM file or in a service account's JSON.
KEY_LINE = re.compile(rb"PRIVATE KEY-----(?:\\n|\\u000a|\s)+([A-Za-z0-9+/=]{40,64})")
# So many bytes of a secret in a row are a leak.
WINDOW = 16
# Where so many bytes can be: between spaces and quotation marks, or as numbers in a list.
WORD = re.compile(rb'[^\s"]{%d,}' % WINDOW)
NUMBERS = re.compile(rb"\d{1,3}(?:, ?\d{1,3}){%d,}" % (WINDOW - 1))
ENDINGS = {signal.SIGTERM, signal.SIGINT, signal.SIGKILL}

# Those whose output has not been searched yet.
unsearched = []


class ServiceProcess(subprocess.Popen):
    """A process of tokend at the log level that says most, whose output is searched for secrets when it has ended."""

    def __init__(self, arguments, folder, streams, secrets, responses=(), environment=None, **options):
        """Starts it.

        `folder` holds its private keys and audit trail, and `streams` are the files that it prints to. `secrets` and
        `responses`, what it told its callers, may grow while it runs.
        """
        self.folder, self.streams, self.secrets, self.responses = folder, streams, secrets, responses
        # The port of the metrics, once whoever started it knows; and what they said at last.
        self.admin_port = self.page = None
        environment = {**os.environ, "TOKEND_LOG_LEVEL": "trace", **(environment or {})}
        super().__init__(arguments, env=environment, **options)
        unsearched.append(self)

    def send_signal(self, number):
        """Sends a signal; before the first that ends the process, reads the metrics."""
        if number in ENDINGS and self.page is None and self.poll() is None:
            self.page = b""
            # A process that has closed its listeners, or was stopped, shows none.
            with contextlib.suppress(OSError, http.client.HTTPException):
                if self.admin_port:
                    self.page = metrics(self.admin_port)
        super().send_signal(number)

    def search(self):
        trail = [path for path in self.folder.rglob("*.jsonl*") if path.is_file()]
        texts = {path.name: path.read_bytes() for path in [*self.streams, *trail]}
        texts |= {"metrics": self.page or b"", "responses": "\n".join(self.responses).encode()}
        secrets = {secret.encode() for secret in self.secrets} | self._private_keys()
        leaks = {window for secret in secrets for window in windows(secret)}
        short = {secret for secret in leaks if len(secret) < WINDOW}
        for name, text in texts.items():
            assert not MARKERS.search(text), f"{name} holds a secret's marker"
            assert not any(secret in text for secret in short), f"{name} holds a secret"
            for word in set(WORD.findall(text)) | set(listed(text)):
                assert leaks.isdisjoint(windows(word)), f"{name} holds a secret"

    def _private_keys(self):
        files = [path for path in self.folder.rglob("*") if path.is_file() and path not in self.streams]
        small = [path.read_bytes() for path in files if path.stat().st_size < 16384]
        return {line for text in small for line in KEY_LINE.findall(text)}


def windows(text):
    """Each part of a text that has the length of a window; the text itself if it is shorter."""
    return (text[start : start + WINDOW] for start in range(max(1, len(text) - WINDOW + 1)))


def listed(text):
    """The bytes that a text lists as numbers."""
    for numbers in NUMBERS.findall(text):
        yield bytes(int(number) % 256 for number in numbers.split(b","))


def metrics(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", "/metrics")
        return connection.getresponse().read()
    finally:
        connection.close()


def search(everything=False):
    """Searches what the processes wrote that have ended, or all of them."""
    ended = [process for process in unsearched if everything or process.poll() is not None]
    # Each is searched once, so that a finding fails one test.
    unsearched[:] = [process for process in unsearched if process not in ended]
    for process in ended:
        process.search()
