import FleetToken

extension JSONObject {
    /// How many values a body may have.
    private static let maximumValues = 200_000

    /// Returns the object that a body is.
    static func parsed(_ body: [UInt8]) throws(EngineError) -> JSONObject {
        do throws(JSONError) {
            return try JSONParser.parseObject(body, maximumValues: maximumValues)
        } catch {
            throw .malformed(
                error.code == .notAnObject ? "The body is not a JSON object." : "The body is not JSON: \(error)."
            )
        }
    }
}
