package import FleetToken
package import ServiceSupport

/// A credential that ends at a known time, for warnings and metrics.
package struct ExpiringCredential: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case apiKey = "api_key"
        case certificate
        case authority
    }

    /// The time before the expiry at which a warning begins, in seconds: three weeks.
    package static let notice: Int64 = 21 * 86_400

    package let kind: Kind
    /// The setting that has it, which metrics name.
    package let setting: String
    /// The part of the setting that names its file.
    private let part: String
    /// Its name in messages, such as `the API key 4kVbq… (backend)`.
    package let name: String
    package let notAfter: NumericDate

    package init(_ kind: Kind, setting: String, part: String = "", name: String, notAfter: NumericDate) {
        self.kind = kind
        self.setting = setting
        self.part = part
        self.name = name
        self.notAfter = notAfter
    }

    /// A warning if the credential has ended or will soon; nil otherwise.
    package func warning(at now: NumericDate) -> Problem? {
        guard notAfter - now < Self.notice else { return nil }
        let time = "\(notAfter.rfc3339), \(notAfter.distance(from: now))"
        let text =
            now >= notAfter
            ? "expired at \(time). Remove it, or replace it if it is still in use."
            : "expires at \(time). Replace it before."
        return Problem("\(name) \(text)", setting: part).within(setting)
    }
}

extension CallerAuthenticator {
    /// The API keys of a caller that expire.
    package func expiringKeys(of caller: String) -> [ExpiringCredential] {
        apiKeys.records(of: caller).compactMap { record in
            record.notAfter.map { notAfter in
                let id = String(decoding: record.id, as: UTF8.self)
                return ExpiringCredential(
                    .apiKey,
                    setting: "callers.\(caller)",
                    name: "the API key \(id) (\(record.label))",
                    notAfter: notAfter
                )
            }
        }
        .sorted { ($0.notAfter, $0.name) < ($1.notAfter, $1.name) }
    }
}
