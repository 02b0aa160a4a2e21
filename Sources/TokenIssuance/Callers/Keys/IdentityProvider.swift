import ServiceConfiguration
import StrictCoding

/// An OpenID Connect provider, which says itself where its keys are and what they are used with.
///
/// What it says is believed only within what the operator decided: it cannot become another issuer, lead to a place that
/// no key set may be at, or add an algorithm.
struct IdentityProvider: Hashable, Sendable {
    /// How many values the document may have, with those inside others.
    private static let maximumValues = 4096

    /// Its `iss`, compared byte by byte.
    let issuer: String
    /// Where it describes itself.
    let document: KeySetURL
    /// The algorithms that its keys may be used with at all.
    let algorithms: [JWTAlgorithm]

    /// The provider of a configuration.
    ///
    /// - Throws: ``ConfigurationError`` when its issuer is not a URL that can be asked.
    init(_ configuration: JWTIssuerConfiguration, allowsLoopback: Bool) throws(ConfigurationError) {
        issuer = configuration.issuer
        document = try KeySetURL(discoveryOf: issuer, allowsLoopback: allowsLoopback)
        algorithms = configuration.algorithms
    }

    /// Where the keys are, and the algorithms that they are used with.
    ///
    /// - Parameters:
    ///   - json: The provider's document (OpenID Connect Discovery 1.0, section 3).
    ///   - allowsLoopback: Whether keys may come from this machine by http, for tests.
    /// - Returns: Both.
    /// - Throws: ``KeySetTransferError`` that says what in the document cannot be believed, and repeats nothing of it.
    func keys(
        describedBy json: [UInt8],
        allowsLoopback: Bool
    ) throws(KeySetTransferError) -> (place: KeySetURL, algorithms: [JWTAlgorithm]) {
        guard let description = try? JSONParser.parseObject(json, maximumValues: Self.maximumValues) else {
            throw KeySetTransferError("The provider's document is not a JSON object without duplicate names.")
        }
        guard let name = description["issuer"]?.stringValue, name.utf8.elementsEqual(issuer.utf8) else {
            throw KeySetTransferError(
                "The provider's document names another issuer. Set jwt.issuer to its issuer, byte by byte: a slash at the end counts."
            )
        }
        guard let text = description["jwks_uri"]?.stringValue else {
            throw KeySetTransferError("The provider's document has no jwks_uri.")
        }
        let place: KeySetURL
        do throws(ConfigurationError) {
            place = try KeySetURL(text, allowsLoopback: allowsLoopback)
        } catch {
            throw KeySetTransferError("The provider's jwks_uri cannot be used. \(error)")
        }
        return (place, try usable(description["id_token_signing_alg_values_supported"]))
    }

    /// Those of the allowed algorithms that the provider uses; all where it doesn't say.
    private func usable(_ supported: JSONValue?) throws(KeySetTransferError) -> [JWTAlgorithm] {
        guard let supported else { return algorithms }
        let names = supported.arrayValue?.compactMap(\.stringValue) ?? []
        let usable = algorithms.filter { algorithm in
            names.contains { $0.utf8.elementsEqual(algorithm.rawValue.utf8) }
        }
        guard !usable.isEmpty else {
            throw KeySetTransferError(
                "The provider signs with none of the algorithms that are allowed: \(algorithms.map(\.rawValue).joined(separator: ", "))."
            )
        }
        return usable
    }
}
