public import Foundation
public import TokenProvider

extension Token {
    /// Returns a JWT with the claims of a scope, as a token server issues it, for tests of an app's requests and responses.
    ///
    /// Its signature is invalid: Fleet Engine rejects it.
    ///
    /// - Parameters:
    ///   - scope: The scope.
    ///   - lifetime: The time from issue to expiration in seconds.
    ///   - issuedAt: The time of issue.
    /// - Returns: The JWT's text.
    public static func jwt(
        for scope: TokenScope,
        lifetime: TimeInterval = 3540,
        issuedAt: Date = Date()
    ) -> String {
        let issued = Int64(issuedAt.timeIntervalSince1970.rounded(.down))
        let payload: [String: Any] = [
            "iss": "test@example.iam.gserviceaccount.com", "sub": "test@example.iam.gserviceaccount.com",
            "aud": "https://fleetengine.googleapis.com/", "iat": issued, "exp": issued + Int64(lifetime),
            "authorization": scope.authorization,
        ]
        return [encoded(["alg": "RS256", "typ": "JWT"]), encoded(payload), "c2lnbmF0dXJl"].joined(separator: ".")
    }

    private static func encoded(_ object: [String: Any]) -> String {
        // Strings and numbers are always valid JSON.
        let json = (try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])) ?? Data()
        return json.base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}

extension TokenScope {
    fileprivate var authorization: [String: String] {
        switch kind {
        case "consumer": ["tripid": id ?? ""]
        case "driver": ["vehicleid": id ?? ""]
        case "delivery_driver": ["deliveryvehicleid": id ?? ""]
        case "trusted_delivery_driver":
            ["deliveryvehicleid": id ?? ""].merging(taskID.map { ["taskid": $0] } ?? [:]) { first, _ in first }
        case "delivery_consumer": ["trackingid": id ?? ""]
        case "delivery_task": ["taskid": id ?? ""]
        case "server": ["tripid": "*", "vehicleid": "*"]
        default: ["taskid": "*", "trackingid": "*", "deliveryvehicleid": "*"]
        }
    }
}
