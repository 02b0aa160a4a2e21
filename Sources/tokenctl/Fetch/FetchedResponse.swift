import FleetToken
import JOSE
import ServiceSupport

/// A token server's response, and the token in it.
struct FetchedResponse {
    let response: OutgoingResponse
    let duration: Duration
    let receivedAt: NumericDate
    let body: JSONObject?
    /// The token of a successful response, and its key.
    let token: (key: String, text: [UInt8], jws: CompactJWS)?

    init(_ response: OutgoingResponse, after duration: Duration, at receivedAt: NumericDate) {
        self.response = response
        self.duration = duration
        self.receivedAt = receivedAt
        let body = try? JSONParser.parseObject(response.body.reveal())
        self.body = body
        let candidates = ResponseDialect.all.lazy.compactMap { dialect -> (String, [UInt8], CompactJWS)? in
            guard let text = body?[dialect.token]?.stringValue.map({ Array($0.utf8) }) else { return nil }
            return (try? CompactJWS(parsing: text)).map { (dialect.token, text, $0) }
        }
        token = (200...299).contains(response.status) ? candidates.first : nil
    }

    var claims: ClaimsReading? { token.map { ClaimsReading(payload: $0.jws.payload) } }
}
