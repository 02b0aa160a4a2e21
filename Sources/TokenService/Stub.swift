extension IDPattern { init(_ text: String) throws { self.text = text } }
extension JWTIssuerConfiguration {
    static func firebase(project: String) -> Self { .init(issuer: "", audiences: [], algorithms: [], keys: .url("")) }
    static func googleServiceAccount(audience: String, emails: [String]) -> Self { .init(issuer: "", audiences: [], algorithms: [], keys: .url("")) }
}
