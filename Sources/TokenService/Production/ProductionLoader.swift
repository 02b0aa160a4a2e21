import FleetToken
import HTTPServer
import ServiceConfiguration
import ServiceSupport
import TokenIssuance
import TokenMinting

/// Reads the configuration and all its files, and builds the service from them.
struct ProductionLoader: Sendable {
    /// The configuration's file.
    let path: String
    /// The address to listen on instead of the configured one.
    let listen: ListenAddress?
    let shared: SharedResources
    var look: FileSnapshot.Look = { FileFingerprint(of: $0) }

    /// Reads the configuration and its files again.
    ///
    /// - Parameter serving: The running service. Unchanged parts are reused, and its files are checked again if the new
    ///   service cannot be built.
    /// - Returns: The service, or the problems; and the files as they were before they were read.
    func load(replacing serving: LoadedService) async -> (Result<LoadedService, ConfigurationError>, FileSnapshot) {
        var files = FileSnapshot(of: [path] + serving.parts.configuration.files, look)
        do throws(ConfigurationError) {
            let configuration = try OperatorFile.configuration(path, listen: listen, isReload: true)
            // Before they are read: a change in between is then detected.
            files.add(configuration.files, look)
            let service: LoadedService
            do throws(ConfigurationError) {
                service = try await make(configuration, replacing: serving)
            } catch {
                throw configuration.located(error, in: path)
            }
            return (.success(service), files.keeping(Set([path] + configuration.files)))
        } catch {
            return (.failure(error), files)
        }
    }

    /// Makes the service of a configuration and the files that it names.
    func make(
        _ configuration: ProductionConfiguration,
        replacing serving: LoadedService? = nil
    ) async throws(ConfigurationError) -> LoadedService {
        await shared.accounts.open(configuration.kinds.values)
        let parts = ServiceComponents(configuration, at: path, shared, replacing: serving?.parts)
        let test = await SigningTest(of: parts.rings, at: shared.now())
        let audit = configuration.audit
        let auditProblems = await AuditInspection().problems(audit, since: serving?.parts.configuration.audit ?? audit)
        let problems = parts.problems + auditProblems + test.problems
        guard problems.isEmpty, let issuance = parts.issuance, let tokens = parts.tokens, let audit = issuance.audit
        else { throw ConfigurationError(problems: problems) }
        let responder = TokenResponder(
            hosts: .any,
            addresses: ClientAddress(trustedProxies: configuration.trustedProxies),
            acceptsCertificates: configuration.tls?.clientAuthorities != nil,
            issuance: issuance,
            recorder: ResponseRecorder(
                metrics: shared.metrics,
                logger: shared.logger,
                cors: CORSPolicy(origins: .list(configuration.origins)),
                aliases: configuration.aliases,
                logsClients: configuration.logsClients
            )
        )
        return LoadedService(
            parts: parts,
            responder: responder,
            tokens: tokens,
            audit: audit,
            unreachable: test.unreachable
        )
    }
}

extension ProductionConfiguration {
    /// Returns the problems of a service with the configuration's file and lines, as `tokend check` shows them.
    func located(_ error: ConfigurationError, in path: String) -> ConfigurationError {
        ConfigurationError(problems: error.problems.map { "\(path): \(places.problem($0))" })
    }
}
