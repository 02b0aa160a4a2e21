import FleetToken
import StrictCoding
import TokenIssuance

/// The caller and the vehicle that tests of webhooks ask about.
enum WebhookSample {
    static func caller(claims: String = "{}") throws -> Caller {
        let claims = try JSONParser.parseObject(claims.utf8)
        return Caller(method: .jwt, name: "app", subject: "subject-1", claims: claims, isApp: true)
    }

    static func vehicle(_ id: String) throws -> TokenScope { .driver(vehicle: try ResourceID(id)) }
}
