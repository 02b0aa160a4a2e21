import JOSE
package import StrictCoding

extension KeyInspection {
    /// The report for programs: schema 1, to which later versions only add.
    package func json(warnings: [String]) -> JSONValue {
        JSONValue(members: [
            ("schema", .integer(1)), ("form", .string(formName)),
            ("account", account.map { .string($0.email) } ?? .null),
            ("keyId", account.map { .string($0.keyID) } ?? .null), ("bits", .integer(Int64(publicKey.bits))),
            ("thumbprint", .string(publicKey.thumbprint)), ("warnings", .array(warnings.map { .string($0) })),
        ])
    }

    private var account: ServiceAccount? {
        if case .serviceAccount(let account) = form { account } else { nil }
    }

    private var formName: String {
        switch form {
        case .serviceAccount: "service-account"
        case .privateKey: "private-key"
        case .publicKey: "public-key"
        }
    }
}
