import FleetToken

/// A fault that is injected into some requests.
struct Fault: Sendable {
    /// What happens.
    enum Effect: Sendable {
        /// The request is refused.
        case error(EngineError)
        /// The response comes later, by some milliseconds.
        case latency(Double)
        /// The connection closes before the response is complete.
        case broken(BrokenResponse)
    }

    let effect: Effect
    /// Which requests: the Nth, the 2Nth and so on of those to the methods.
    var every = 1
    /// The names of the methods; empty for all.
    var methods: [String] = []
    /// The maximum number of injections; nil for none.
    var times: Int?

    /// Creates a fault for all methods.
    init(_ effect: Effect, every: Int = 1) {
        self.effect = effect
        self.every = every
    }
}

extension Fault {
    /// Creates a fault from a message of ``Tables/fault``, which has exactly one effect.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - field: Where it is in the request, for errors.
    /// - Throws: ``EngineError`` that names the field.
    init(_ message: Message, at field: String) throws(EngineError) {
        var effects: [Effect] = []
        if let error = message.message("error") { effects.append(.error(try EngineError(fault: error, at: field))) }
        if let latency = message.number("latencyMilliseconds") { effects.append(.latency(latency)) }
        if message.flag("reset") { effects.append(.broken(.reset)) }
        if message.flag("truncate") { effects.append(.broken(.truncated)) }
        guard effects.count == 1 else {
            throw .malformed(
                field,
                effects.isEmpty ? "has no effect" : "has more than one effect: make it two faults"
            )
        }
        self.init(effects[0], every: Int(message.integer("every") ?? 1))
        methods = message.texts("methods")
        times = message.integer("times").map { Int($0) }
    }
}

extension EngineError {
    /// Creates the error of a fault.
    fileprivate init(fault error: Message, at field: String) throws(EngineError) {
        guard let code = StatusCode(name: error.text("code")) else {
            throw .malformed("\(field).error.code", "is not a code such as UNAVAILABLE")
        }
        self.init(.fault, code: code, error.has("message") ? error.text("message") : "Injected: \(code.name).")
        retryAfter = error.number("retryAfterSeconds")
    }
}

extension Tables {
    /// The body of `PUT faults`.
    static let faults = Table("", [.init("faults", .list(.message(fault)), .presence)])

    private static let fault = Table(
        "",
        [
            .init("error", .message(injectedError)),
            .init("latencyMilliseconds", .number(0...3_600_000), .presence), .init("reset", .flag),
            .init("truncate", .flag), .init("methods", .list(.name([""] + Method.all.map(\.name)))),
            .init("every", .integer(1...1_000_000), .presence), .init("times", .integer(0...1_000_000), .presence),
        ]
    )

    private static let injectedError = Table(
        "",
        [
            .init("code", .name(["OK"] + StatusCode.allCases.map(\.name))), .init("message", .text),
            .init("retryAfterSeconds", .number(0...1_000_000), .presence),
        ]
    )
}
