import FleetToken
import ServiceSupport
import SystemPackage
import TokenService

/// The files that a plan is written to: the configuration, and the secrets that it names.
struct InitialFiles: Sendable {
    /// The files that were written, with what they hold.
    private(set) var written: [String] = []
    private let path: String
    private let folder: FilePath
    private var created: [String] = []

    /// Writes the files of a plan; none of them replaces another file.
    ///
    /// - Throws: ``OperatorError`` that names the file and the fix; the files that were written before it are removed.
    init(of plan: ServicePlan, at path: String) throws {
        self.path = path
        folder = FilePath(path).removingLastComponent()
        do {
            try writeFiles(of: plan)
        } catch {
            for path in created { unlink(path) }
            throw error
        }
    }

    private mutating func writeFiles(of plan: ServicePlan) throws {
        // The configuration is last: a file that cannot be written leaves none that looks complete.
        if plan.method == .apiKey {
            let key = try NewAPIKey(label: plan.caller, notAfter: nil)
            try write(
                "backend.key",
                Array((key.key.revealText() + "\n").utf8),
                describedAs: "the backend's API key: give it to the backend, then delete the file"
            )
            try write("api-keys", Array((key.line + "\n").utf8), describedAs: "the API key's SHA-256")
        }
        if plan.usesWebhook {
            let secret = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
            try write(
                "webhook-secret",
                Base64URL.encode(secret) + Array("\n".utf8),
                describedAs: "the secret that signs requests to the webhook"
            )
        }
        guard try KeyFile.create(path, Array(plan.configuration.utf8)) else { throw Self.exists(path) }
        // It has no secrets, and the service's user must be able to read it.
        chmod(path, 0o644)
        written.append("\(path), the configuration")
        guard plan.target == .package else { return }
        share([path] + ["api-keys", "webhook-secret"].map { folder.appending($0).string })
    }

    private mutating func write(_ name: String, _ bytes: [UInt8], describedAs what: String) throws(OperatorError) {
        let path = folder.appending(name).string
        guard try KeyFile.create(path, bytes) else { throw Self.exists(path) }
        created.append(path)
        written.append("\(path), \(what)")
    }

    /// Lets the service's user, who is in the group of the folder, read files.
    ///
    /// `tokend check` names those that the user cannot read.
    private func share(_ paths: [String]) {
        var status = stat()
        guard stat(folder.string, &status) == 0 else { return }
        // The owner stays.
        for path in paths where chown(path, uid_t.max, status.st_gid) == 0 { chmod(path, 0o640) }
    }

    private static func exists(_ path: String) -> OperatorError {
        OperatorError("\(path) exists, and is never replaced. Remove it, or name a configuration in another folder.")
    }

    /// Returns whether a file exists in the configuration's folder.
    func has(_ name: String) -> Bool { KeyFile.isPresent(folder.appending(name).string) }

    /// Returns what is not ready yet: the problems of the configuration and its files, and of issuers.
    func findings(environment: [String: String], isOffline: Bool) async -> [Finding] {
        var findings: [Finding] = []
        do throws(OperatorError) {
            let check = try ConfigurationCheck(path: path, environment: environment)
            findings = await check.report().findings
            if !isOffline { findings += await check.issuerFindings() }
        } catch {
            findings = [Finding(.fail, subject: "configuration", "\(error)")]
        }
        return findings.filter { $0.level != .ok }
    }
}
