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

    /// The command's life cycle.
    private enum State {
        case waiting
        case running(pid_t)
        /// With the status to end with.
        case ended(Int32)
    }

    private let command: [String]
    private let ready: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation
    private let state = Mutex(State.waiting)

    /// Creates a command that does not run yet.
    init(_ command: [String]) {
        self.command = command
        (ready, continuation) = AsyncStream.makeStream()
    }

    /// The status to end with: the command's, or 128 and the signal that ended it; 0 if there was no command to run.
    var status: Int32 {
        state.withLock { state in
            if case .ended(let status) = state { status } else { 0 }
        }
    }

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
                if let process = launch(address) { await wait(for: process) }
            }
            group.cancelAll()
        }
    }

    /// Passes a signal on, or ends the program if the command has not started.
    private func pass(_ signal: Int32) {
        state.withLock { state in
            switch state {
            case .waiting:
                state = .ended(128 + signal)
                continuation.finish()
            case .running(let process): kill(process, signal)
            case .ended: break
            }
        }
    }

    /// Starts the command's process, which is then known to whoever passes a signal; nil if there is none.
    private func launch(_ address: String) -> pid_t? {
        state.withLock { state in
            if case .waiting = state { state = spawn(address) }
            return if case .running(let process) = state { process } else { nil }
        }
    }

    private func spawn(_ address: String) -> State {
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
            return .ended(problem == ENOENT ? 127 : 126)
        }
        return .running(process)
    }

    private func wait(for process: pid_t) async {
        await withTaskCancellationHandler {
            let status = await end(of: process)
            let signal = status & 0x7F
            state.withLock { $0 = .ended(signal == 0 ? (status >> 8) & 0xFF : 128 + signal) }
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
