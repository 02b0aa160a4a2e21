import ServiceSupport
import Synchronization

/// The addresses of both listeners, once they are bound.
final class BoundAddresses: Sendable {
    private struct Bound {
        var service: ListenAddress?
        var admin: ListenAddress?
    }

    private let bound = Mutex(Bound())
    private let onComplete: @Sendable (TokenServer.Addresses) -> Void

    /// - Parameter onComplete: Called once, when both listeners are bound.
    init(onComplete: @escaping @Sendable (TokenServer.Addresses) -> Void) {
        self.onComplete = onComplete
    }

    /// The admin listener's, once it listens.
    var admin: ListenAddress? { bound.withLock { $0.admin } }

    /// Reports that the public listener is bound.
    func add(service address: ListenAddress) { add { $0.service = address } }

    /// Reports that the admin listener is bound.
    func add(admin address: ListenAddress) { add { $0.admin = address } }

    private func add(_ change: (inout Bound) -> Void) {
        let complete = bound.withLock { bound -> TokenServer.Addresses? in
            change(&bound)
            guard let service = bound.service, let admin = bound.admin else { return nil }
            return TokenServer.Addresses(service: service, admin: admin)
        }
        if let complete { onComplete(complete) }
    }
}
