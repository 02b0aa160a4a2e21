import FleetToken
import ServiceSupport
import TokenIssuance
import TokenMinting

extension ProductionConfiguration {
    /// Every file that is read for it; not the audit trail, which is written.
    package var files: [String] {
        [tls?.certificate, tls?.key].compactMap(\.self) + TokenKind.allCases.compactMap { kinds[$0]?.file }
            + callers.flatMap(\.files) + webhooks.map(\.secretFile)
    }
}
