import FleetToken

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads keys into the registry: at the start, and when they have changed.
///
/// It compares content, not times: the files are small.
actor KeyReader {
    private static let maximumSize = 256 << 10

    private let sources: [KeySource]
    private let accounts: AccountRegistry
    /// What was read last, by source or by file.
    private var known: [String: [UInt8]] = [:]
    private var sets: [String: [PublicKey]] = [:]
    /// A read that has not begun, and that requests wait for.
    private var nextRead: Task<Void, Never>?
    /// Creates a reader.
    ///
    /// - Throws: ``EmulatorError`` for a file or folder that does not exist.
    init(_ sources: [KeySource], into accounts: AccountRegistry) throws(EmulatorError) {
        for source in sources {
            switch source {
            case .folder(let path):
                guard (try? FileManager.default.contentsOfDirectory(atPath: path)) != nil else {
                    throw EmulatorError(
                        "There is no folder \(path) that can be read. tokend dev creates one with keys."
                    )
                }
            case .file(let path), .keySet(let path):
                guard (try? Data(contentsOf: URL(filePath: path))) != nil else {
                    throw EmulatorError("There is no file \(path) that can be read.")
                }
            }
        }
        self.sources = sources
        self.accounts = accounts
    }

    /// Reads all sources, and takes over what has changed.
    ///
    /// - Returns: The problems, one a file or source at most. What was read before stays.
    func read() async -> [String] {
        var problems: [String] = []
        for source in sources {
            do {
                switch source {
                case .file(let path): try await readAccount(path)
                case .folder(let path): problems += try await readFolder(path)
                case .keySet(let path): try await takeSet(Self.file(path), from: path)
                }
            } catch {
                problems.append("\(source): \(error)")
            }
        }
        return problems
    }

    /// Reads all sources once more, for a token whose `kid` is unknown: `tokend dev` makes a key when it first signs with it.
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

    /// Reads the files of a folder, and returns the problems of those that are not key files.
    private func readFolder(_ path: String) async throws -> [String] {
        var problems: [String] = []
        for file in try FileManager.default.contentsOfDirectory(atPath: path).sorted() where file.hasSuffix(".json") {
            do {
                try await readAccount("\(path)/\(file)")
            } catch {
                problems.append("\(path)/\(file): \(error)")
            }
        }
        return problems
    }

    private func readAccount(_ path: String) async throws {
        let bytes = try Self.file(path)
        guard known[path] != bytes else { return }
        let json = try JSONParser.parseObject(bytes)
        guard let email = json["client_email"]?.stringValue, let id = json["private_key_id"]?.stringValue,
            let pem = json["private_key"]?.stringValue
        else {
            throw EmulatorError(
                "This is no key file of a service account: it needs client_email, private_key_id and private_key."
            )
        }
        let key = try await PublicKey(id: id, privateKeyPEM: pem)
        let kind = path.resourceID.prefix { $0 != "." }
        if let role = Role.ofKinds.first(where: { $0.key == kind })?.value { accounts.add(email, role: role) }
        guard accounts.setKeys([key], of: email) else {
            throw EmulatorError("\(email) has no role. Use --role \(email)=driverSdkUser.")
        }
        known[path] = bytes
    }

    private func takeSet(_ bytes: [UInt8], from source: String) async throws {
        guard known[source] != bytes else { return }
        sets[source] = try await PublicKey.keys(of: JSONParser.parseObject(bytes))
        accounts.setSharedKeys(sets.values.flatMap(\.self))
        known[source] = bytes
    }

    private static func file(_ path: String) throws -> [UInt8] {
        let data = try Data(contentsOf: URL(filePath: path))
        guard data.count <= maximumSize else { throw EmulatorError("It is larger than 256 KiB.") }
        return Array(data)
    }
}
