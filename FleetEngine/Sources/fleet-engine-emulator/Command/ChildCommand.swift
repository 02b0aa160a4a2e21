import Dispatch
import ServiceLifecycle
import Synchronization
import UnixSignals

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A command that runs beside the emulator: it starts when the emulator is ready, gets the signals, and gives its status.
final class ChildCommand: Service {
    private static let signals: [UnixSignal] = [.sigterm, .sigint, .sighup, .sigquit, .sigusr1, .sigusr2]

    private let command: [String]
    private let ready: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation
    private let state = Mutex((process: pid_t(0), status: Int32(0)))

    /// Creates a command that does not run yet.
    init(_ command: [String]) {
        self.command = command
        (ready, continuation) = AsyncStream.makeStream()
    }

    /// The status to end with: the command's, or 128 and the signal that ended it.
    var status: Int32 { state.withLock { $0.status } }

    /// Starts the command, with the address in its environment.
    func start(with address: String) {
        continuation.yield(address)
        continuation.finish()
    }

    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: Self.signals)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await signal in signals { self.pass(signal.rawValue) }
            }
            for await address in ready {
                let process = spawn(address)
                if process > 0 { await wait(for: process) }
            }
            group.cancelAll()
        }
    }

    /// Passes a signal on; one that comes before the command's start is the end.
    private func pass(_ signal: Int32) {
        let process = state.withLock { $0.process }
        guard process == 0 else {
            kill(process, signal)
            return
        }
        state.withLock { $0.status = 128 + signal }
        continuation.finish()
    }

    private func spawn(_ address: String) -> pid_t {
        setenv("FLEET_ENGINE_EMULATOR_HOST", address, 1)
        #if canImport(Darwin)
        var attributes: posix_spawnattr_t?
        #else
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The signals that are trapped here are ignored; a child would ignore them as well.
        var trapped = sigset_t()
        sigemptyset(&trapped)
        for signal in Self.signals { sigaddset(&trapped, signal.rawValue) }
        posix_spawnattr_setsigdefault(&attributes, &trapped)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var arguments = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t(0)
        let problem = posix_spawnp(&process, command[0], nil, &attributes, &arguments, environ)
        guard problem == 0 else {
            let reason = String(cString: strerror(problem)).lowercased()
            EmulatorOptions.say("\(command[0]) cannot be started: \(reason).\n", to: STDERR_FILENO)
            // As a shell ends: 127 for a command that is not found, 126 for one that cannot be run.
            state.withLock { $0.status = problem == ENOENT ? 127 : 126 }
            return 0
        }
        state.withLock { $0.process = process }
        return process
    }

    private func wait(for process: pid_t) async {
        await withTaskCancellationHandler {
            let status = await end(of: process)
            let signal = status & 0x7F
            state.withLock { $0 = (0, signal == 0 ? (status >> 8) & 0xFF : 128 + signal) }
        } onCancel: {
            // The emulator has failed.
            kill(process, SIGTERM)
        }
    }

    private func end(of process: pid_t) async -> Int32 {
        await withCheckedContinuation { continuation in
            // On a thread of its own, because it blocks for as long as the command runs.
            DispatchQueue(label: "child").async {
                var status: Int32 = 0
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
                continuation.resume(returning: status)
            }
        }
    }
}
