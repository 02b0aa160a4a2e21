"""A real redis-server on a port of its own, and a false one."""

import shutil
import signal
import socket
import subprocess
import threading
import time

from ports import free_port
from production import until

REDIS = shutil.which("redis-server") or shutil.which("valkey-server")


class Redis:
    """It keeps its port when it is ended and started again."""

    def __init__(self, folder, *options, port=None):
        self.port = port or free_port()
        self.folder = folder
        self.options = options
        self.process = None
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [REDIS, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
             "--dir", str(self.folder), *self.options],
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        until(self.answers, "redis-server to listen")

    def answers(self):
        try:
            return self.ask("PING")[:1] in (b"+", b"-")
        except OSError:
            return False

    def ask(self, *words, password=None):
        """What it says to one command, as it says it."""
        with socket.create_connection(("127.0.0.1", self.port), 60) as connection:
            commands = ([["AUTH", password]] if password else []) + [list(words)]
            reply = b""
            for command in commands:
                connection.sendall(" ".join(command).encode() + b"\r\n")
                reply = connection.recv(1 << 16)
            return reply

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait()


class FalseRedis:
    """Answers whatever it is asked with the same bytes, also late."""

    def __init__(self, reply, delay=0):
        self.reply = reply
        self.delay = delay
        self.is_silent = False
        self.asked = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.answer, args=(connection,), daemon=True).start()

    def answer(self, connection):
        try:
            while connection.recv(1 << 16):
                self.asked += 1
                if self.is_silent:
                    continue
                time.sleep(self.delay)
                connection.sendall(self.reply)
        except OSError:
            pass

    def stop(self):
        self.listener.close()
