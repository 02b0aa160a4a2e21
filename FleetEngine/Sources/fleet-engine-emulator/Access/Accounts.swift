import FleetToken

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The service accounts of key files, of which only the public halves are kept.
///
/// The files are read at the start, and again when one was added, changed or removed: `tokend dev` makes a key when it first
/// signs with it.
actor Accounts {
    private static let maximumSize = 256 << 10

    private let folders: [String]
    private let files: [String]
    private let roles: [String: Role]
    private let warn: @Sendable (String) -> Void
    private var accounts: [String: Account] = [:]
    /// The files that were read, and when each was changed; nil before the first read.
    private var versions: [String: Date]?

    /// Creates the accounts of key files.
    ///
    /// - Parameters:
    ///   - folders: Folders of key files.
    ///   - files: More key files.
    ///   - roles: The roles of accounts by their addresses; those of `tokend dev` have theirs.
    ///   - warn: Called with the problem of each file that cannot be used, once for each version of it.
    /// - Throws: ``EmulatorError`` for a file or folder that does not exist.
    init(
        folders: [String],
        files: [String],
        roles: [String: Role],
        warn: @escaping @Sendable (String) -> Void
    ) throws(EmulatorError) {
        for path in folders where (try? FileManager.default.contentsOfDirectory(atPath: path)) == nil {
            throw EmulatorError("There is no folder \(path) that can be read. tokend dev creates one with keys.")
        }
        for path in files where !FileManager.default.fileExists(atPath: path) {
            throw EmulatorError("There is no file \(path).")
        }
        self.folders = folders
        self.files = files
        self.roles = roles
        self.warn = warn
    }

    /// Returns the accounts by their addresses, as the files are now.
    func current() async -> [String: Account] {
        let versions = currentVersions()
        guard versions != self.versions else { return accounts }
        var accounts: [String: Account] = [:]
        for path in versions.keys.sorted() {
            do {
                let (email, role, key) = try await readKey(path)
                accounts[email, default: Account(email, role: role)].add(key)
            } catch {
                guard self.versions?[path] != versions[path] else { continue }
                warn("\(path) cannot be used: \((error as? CocoaError)?.reason ?? "\(error)")")
            }
        }
        (self.accounts, self.versions) = (accounts, versions)
        return accounts
    }

    private func currentVersions() -> [String: Date] {
        var paths = files
        for folder in folders {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            paths += names.filter { $0.hasSuffix(".json") }.map { "\(folder)/\($0)" }
        }
        var versions: [String: Date] = [:]
        for path in paths {
            let target = URL(filePath: path).resolvingSymlinksInPath().path
            versions[path] = (try? FileManager.default.attributesOfItem(atPath: target))?[.modificationDate] as? Date
        }
        return versions
    }

    /// Reads a file, whose name determines the role of an unknown account: that of the kind in `driver.json`.
    private func readKey(_ path: String) async throws -> (email: String, role: Role, key: PublicKey) {
        let data = try Data(contentsOf: URL(filePath: path))
        guard data.count <= Self.maximumSize else { throw EmulatorError("it is larger than 256 KiB.") }
        let json = try JSONParser.parseObject(Array(data))
        guard let email = json["client_email"]?.stringValue, let id = json["private_key_id"]?.stringValue,
            let pem = json["private_key"]?.stringValue
        else {
            throw EmulatorError("a service account's key file needs client_email, private_key_id and private_key.")
        }
        let fileName = path.resourceID.prefix { $0 != "." }
        let kind =
            Role.byTokenKind.first { email == "\($0.key)@development.invalid" }
            ?? Role.byTokenKind.first { fileName == $0.key }
        guard let role = roles[email] ?? kind?.value else {
            throw EmulatorError("\(email) has no role. Use --role \(email)=driverSdkUser.")
        }
        return (email, role, try await PublicKey(id: id, privateKeyPEM: pem))
    }
}

extension CocoaError {
    /// Why a file cannot be read.
    fileprivate var reason: String {
        switch code {
        case .fileReadNoPermission: "permission denied."
        case .fileReadNoSuchFile, .fileNoSuchFile: "there is no such file."
        default: "it is not a readable file."
        }
    }
}
