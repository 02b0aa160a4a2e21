import Foundation

/// What pauses after a failure.
///
/// It is decided once, where the failure is known.
enum Cooldown: Hashable, Sendable {
    /// Nothing: no request was sent.
    case none
    /// The scope, for half a second at most: a device without a network has no server to protect.
    case device
    /// The scope, for the backoff: no response came, perhaps because of the network.
    case connection
    /// The scope, for a delay and the backoff.
    case scope(TimeInterval)
    /// The scope, for half a minute and the backoff, because waiting does not help; a change of the credentials may.
    case permanent
    /// All scopes for a delay, and the scope for the backoff more.
    case server(TimeInterval)

    /// The pause after an error that waiting does not resolve, to which a backoff is added.
    static let afterPermanentError: TimeInterval = 30

    /// Creates the cooldown of an error that a closure or a response describes by these.
    init(_ code: TokenProviderError.Code, retryAfter: TimeInterval?, httpStatus: Int?) {
        self =
            switch code {
            // No user is signed in.
            case .unauthenticated where httpStatus == nil: .none
            case .offline, .insecureConnection: .device
            // A 502 or 504 with a delay pauses its scope only: a proxy sends it for one request.
            case .unavailable where [nil, 503].contains(httpStatus): retryAfter.map { .server($0) } ?? .scope(0)
            // `tokend` limits callers: its 429 concerns all scopes of this one.
            case .resourceExhausted: retryAfter.map { .server($0) } ?? .scope(0)
            default: code.remedy == .wait ? .scope(retryAfter ?? 0) : .permanent
            }
    }

    /// The cooldown of the same failure after a response: then there is a server to protect.
    var afterResponse: Self {
        switch self {
        case .none: .permanent
        case .connection: .scope(0)
        case .device, .scope, .permanent, .server: self
        }
    }

    /// Whether the device or its network caused the failure, and no response of the server.
    var isFromDevice: Bool { self == .device || self == .connection }

    /// Returns the pause of the scope after a number of failures in a row, in seconds.
    func length(failures: Int, random: Double) -> TimeInterval {
        let backoff = Pause.backoff(failures: failures, random: random)
        return switch self {
        case .none: 0
        case .device: Pause.backoff(failures: 1, random: random)
        case .connection: backoff
        case .scope(let delay), .server(let delay): Pause.delay(delay, random: random) + backoff
        case .permanent: Self.afterPermanentError + backoff
        }
    }
}
