import FleetToken
import JOSE
import ServiceSupport

/// An OpenID Connect provider, whose configuration document has the URL of its keys and its algorithms.
///
/// The document is trusted only within the operator's settings: it cannot name another issuer, a URL that is not allowed
/// for key sets, or an additional algorithm.
struct IdentityProvider: Hashable, Sendable {
    /// The maximum number of values in the document, including nested ones.
    private static let maximumValues = 4096

    /// The issuer, compared byte by byte.
    let issuer: String
    /// The URL of its configuration document.
    let document: KeySetURL
    /// The algorithms that the operator allows.
    let algorithms: [JWSAlgorithm]

    /// Returns the URL of the keys and their algorithms.
    ///
    /// - Parameter json: The provider's configuration document (OpenID Connect Discovery 1.0, section 3).
    /// - Returns: The URL and the algorithms.
    /// - Throws: ``KeySetFetchError`` that describes what is wrong with the document, and contains nothing of it.
    func keys(describedBy json: [UInt8]) throws(KeySetFetchError) -> (url: KeySetURL, algorithms: [JWSAlgorithm]) {
        guard let description = try? JSONParser.parseObject(json, maximumValues: Self.maximumValues) else {
            throw .invalidDocument("The provider's document is not a JSON object without duplicate names.")
        }
        guard let name = description["issuer"]?.stringValue, name.hasSameBytes(as: issuer) else {
            throw .invalidDocument(
                "The provider's document names another issuer. Set jwt.issuer to its issuer, byte by byte, including a trailing slash."
            )
        }
        guard let text = description["jwks_uri"]?.stringValue else {
            throw .invalidDocument("The provider's document has no jwks_uri.")
        }
        let url: KeySetURL
        do throws(OperatorError) {
            url = try KeySetURL(text)
        } catch {
            throw .invalidDocument("The provider's jwks_uri cannot be used. \(error)")
        }
        return (url, try usable(description["id_token_signing_alg_values_supported"]))
    }

    /// Returns the allowed algorithms that the provider names; all of them if it names none.
    private func usable(_ supported: JSONValue?) throws(KeySetFetchError) -> [JWSAlgorithm] {
        guard let supported else { return algorithms }
        let names = supported.arrayValue?.compactMap(\.stringValue) ?? []
        let usable = algorithms.filter { algorithm in
            names.contains { $0.hasSameBytes(as: algorithm.rawValue) }
        }
        guard !usable.isEmpty else {
            throw .invalidDocument(
                "The provider signs with none of the algorithms that are allowed: \(algorithms.map(\.rawValue).joined(separator: ", "))."
            )
        }
        return usable
    }
}
