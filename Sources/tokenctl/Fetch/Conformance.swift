import FleetToken
import JOSE
import ServiceSupport
import TokenService

/// The requests that try a token server, and what it answers to them.
struct Conformance {
    /// A request; each is sent at most once, in this order.
    enum Probe: CaseIterable {
        case first, secondID, otherKind, unusualID, noID, longID, notReused, noCredentials, wrongCredentials
    }

    /// What came of a request.
    enum Outcome {
        case answer(Answer)
        case noResponse(OutgoingError)
        case notSent(reason: String)
    }

    /// A response, and the token in it.
    struct Answer {
        let id: String?
        let response: OutgoingResponse
        let duration: Duration
        let receivedAt: NumericDate
        let body: JSONObject?
        let token: (key: String, text: [UInt8], jws: CompactJWS)?

        var isSuccess: Bool { (200...299).contains(response.status) }
        var isRefusal: Bool { (400...499).contains(response.status) }
        var claims: ClaimsReading? { token.map { ClaimsReading(payload: $0.jws.payload) } }
    }

    /// A valid ID whose encoding shows what a server decodes.
    static let unusualID = "conformance %é"

    let url: ConformanceURL
    let kind: TokenKind
    let id: String
    /// An ID that the caller must not get a token for.
    let otherID: String?
    let fields: [(name: String, value: String)]
    let dialects: [ResponseDialect]
    private(set) var outcomes: [Probe: Outcome] = [:]

    init(
        url: ConformanceURL,
        scope: TokenScope,
        otherID: String?,
        fields: [(name: String, value: String)],
        dialects: [ResponseDialect]
    ) {
        self.url = url
        kind = scope.kind
        id = scope.ids.first?.rawValue ?? ""
        self.otherID = otherID
        self.fields = fields
        self.dialects = dialects
    }

    /// The ID of ``Probe/secondID``.
    var secondID: String { otherID ?? (id.utf8.count < 63 ? id + "-2" : "conformance-2") }

    var answers: [Answer] {
        Probe.allCases.compactMap { if case .answer(let answer)? = outcomes[$0] { answer } else { nil } }
    }

    /// Sends the requests, none after a 429.
    mutating func run() async {
        for probe in Probe.allCases {
            if let reason = reasonNotToSend(probe) {
                outcomes[probe] = .notSent(reason: reason)
            } else {
                outcomes[probe] = await send(probe)
            }
        }
    }

    private func reasonNotToSend(_ probe: Probe) -> String? {
        if answers.contains(where: { $0.response.status == 429 }) { return "not sent after HTTP status 429" }
        if probe != .first, answers.first?.token == nil { return "requires a token" }
        switch probe {
        case .otherKind where !url.hasKind || kind != .consumer && kind != .driver:
            return "compares consumer and driver, whose paths end with /token/KIND/ID"
        case .noCredentials, .wrongCredentials: return fields.isEmpty ? "requires --header-file" : nil
        default: return nil
        }
    }

    private func send(_ probe: Probe) async -> Outcome {
        var (kind, id, fields) = (kind, Optional(id), fields)
        switch probe {
        case .first: break
        case .secondID: id = secondID
        case .otherKind: kind = kind == .driver ? .consumer : .driver
        case .unusualID: id = Self.unusualID
        case .noID: id = nil
        case .longID: id = String(repeating: "x", count: 65)
        case .notReused: fields.append(("Fleet-Token-Reuse", "no"))
        case .noCredentials: fields.removeAll(where: isCredential)
        case .wrongCredentials: fields = fields.map { isCredential($0) ? Self.wrong($0) : $0 }
        }
        var request = OutgoingRequest(.get, url.text(kind: kind, id: id))
        request.headers = [("Accept", "application/json")] + fields
        request.timeout = .seconds(10)
        let start = ContinuousClock.now
        do {
            let response = try await request.response()
            return .answer(answer(response, id: id, duration: ContinuousClock.now - start))
        } catch {
            return .noResponse(error as? OutgoingError ?? .failed(ConnectionFailure.text(of: error)))
        }
    }

    private func answer(_ response: OutgoingResponse, id: String?, duration: Duration) -> Answer {
        let body = try? JSONParser.parseObject(response.body.reveal())
        var token: (key: String, text: [UInt8], jws: CompactJWS)?
        for key in dialects.map(\.token) where token == nil {
            guard let text = body?[path: key]?.stringValue.map({ Array($0.utf8) }) else { continue }
            token = (try? CompactJWS(parsing: text)).map { (key, text, $0) }
        }
        return Answer(
            id: id,
            response: response,
            duration: duration,
            receivedAt: .now,
            body: body,
            token: (200...299).contains(response.status) ? token : nil
        )
    }

    /// Returns whether a field is a credential: one of the usual names, or any if there is none of them.
    private func isCredential(_ field: (name: String, value: String)) -> Bool {
        let isUsual = { (name: String) in ["authorization", "cookie", "x-api-key"].contains(name.lowercased()) }
        return isUsual(field.name) || !fields.contains { isUsual($0.name) }
    }

    /// Returns a field with a wrong credential: `Authorization` with the same scheme.
    private static func wrong(_ field: (name: String, value: String)) -> (name: String, value: String) {
        let words = field.value.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1)
        let hasScheme = field.name.utf8.isEqual(ignoringCase: "authorization") && words.count == 2
        return (field.name, (hasScheme ? String(decoding: words[0], as: UTF8.self) + " " : "") + "conformance-wrong")
    }
}
