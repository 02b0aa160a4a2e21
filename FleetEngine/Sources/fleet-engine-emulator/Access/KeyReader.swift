import FleetToken

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads key files of service accounts into the registry, of which only the public halves are kept.
///
/// It reads at the start, and again for a token whose account or key is unknown.
actor KeyReader {
    private static let maximumSize = 256 << 10

    private let folders: [String]
    private let files: [String]
    private let accounts: AccountRegistry
    /// A read that has not begun, and that requests wait for.
    private var nextRead: Task<Void, Never>?

    /// Creates a reader.
    ///
    /// - Throws: ``EmulatorError`` for a file or folder that does not exist.
    init(folders: [String], files: [String], into accounts: AccountRegistry) throws(EmulatorError) {
        for path in folders where (try? FileManager.default.contentsOfDirectory(atPath: path)) == nil {
            throw EmulatorError("There is no folder \(path) that can be read. tokend dev creates one with keys.")
        }
        for path in files where (try? Data(contentsOf: URL(filePath: path))) == nil {
            throw EmulatorError("There is no file \(path) that can be read.")
        }
        self.folders = folders
        self.files = files
        self.accounts = accounts
    }

    /// Reads all files.
    ///
    /// - Returns: The problems, one a file at most. What was read before stays.
    func read() async -> [String] {
        var paths = files
        for folder in folders {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            paths += names.filter { $0.hasSuffix(".json") }.sorted().map { "\(folder)/\($0)" }
        }
        var problems: [String] = []
        for path in paths {
            do {
                try await readAccount(path)
            } catch {
                problems.append("\(path): \(error)")
            }
        }
        return problems
    }

    /// Reads all files once more: `tokend dev` makes a key when it first signs with it.
    ///
    /// All requests of a tenth of a second wait for one read, so that unknown keys cost no more than ten reads a second.
    func readAgain() async {
        if nextRead == nil {
            nextRead = Task {
                try? await Task.sleep(for: .milliseconds(100))
                nextRead = nil
                _ = await read()
            }
        }
        await nextRead?.value
    }

    /// Reads a file, whose name determines the role of an unknown account: that of the kind in `driver.json`.
    private func readAccount(_ path: String) async throws {
        let data = try Data(contentsOf: URL(filePath: path))
        guard data.count <= Self.maximumSize else { throw EmulatorError("It is larger than 256 KiB.") }
        let json = try JSONParser.parseObject(Array(data))
        guard let email = json["client_email"]?.stringValue, let id = json["private_key_id"]?.stringValue,
            let pem = json["private_key"]?.stringValue
        else {
            throw EmulatorError(
                "This is no key file of a service account: it needs client_email, private_key_id and private_key."
            )
        }
        let key = try await PublicKey(id: id, privateKeyPEM: pem)
        let kind = path.resourceID.prefix { $0 != "." }
        let role = Role.ofKinds.first { $0.key == kind }?.value
        guard accounts.add(key, of: email, role: role) else {
            throw EmulatorError("\(email) has no role. Use --role \(email)=driverSdkUser.")
        }
    }
}
