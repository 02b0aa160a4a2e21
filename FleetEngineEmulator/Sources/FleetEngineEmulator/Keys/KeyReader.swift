#if Emulator
import AsyncHTTPClient
import FleetToken
import JOSE
import NIOCore
import ServiceSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads keys into the registry: at the start, and when they have changed.
///
/// It compares content, not times: the files are small, and a key set on the network has no time.
actor KeyReader {
    private let sources: [KeySource]
    private let accounts: AccountRegistry
    /// What was read last, by source or by file.
    private var known: [String: [UInt8]] = [:]
    private var sets: [String: JWKSet] = [:]

    /// Creates a reader.
    init(_ sources: [KeySource], into accounts: AccountRegistry) {
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
                case .file(let path): try readAccount(path)
                case .folder(let path): problems += try readFolder(path)
                case .keySet(let path): try takeSet(Array(Data(contentsOf: URL(filePath: path))), from: path)
                case .keySetURL(let url): try takeSet(try await Self.fetch(url), from: url)
                }
            } catch {
                problems.append("\(source): \(error)")
            }
        }
        return problems
    }

    /// Reads the files of a folder, and returns the problems of those that are not key files.
    private func readFolder(_ path: String) throws -> [String] {
        guard let files = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw ConfigurationError("The folder cannot be read.")
        }
        return files.filter { $0.hasSuffix(".json") }.sorted().compactMap { file in
            do {
                try readAccount("\(path)/\(file)")
                return nil
            } catch {
                return "\(path)/\(file): \(error)"
            }
        }
    }

    private func readAccount(_ path: String) throws {
        let bytes = try KeyFile.read(path)
        guard known[path] != bytes else { return }
        let account = try ServiceAccount(json: bytes)
        var keys = JWKSet()
        try keys.insert(account.jwk)
        let name = path.resourceID.prefix { $0 != "." }
        if accounts.account(account.email) == nil, let role = TokenKind(name: name).flatMap({ Role($0) }) {
            accounts.set(role, for: account.email)
        }
        guard accounts.setKeys(keys, for: account.email) else {
            throw ConfigurationError("\(account.email) has no role. Use --role \(account.email)=driverSdkUser.")
        }
        known[path] = bytes
    }

    private func takeSet(_ bytes: [UInt8], from source: String) throws {
        guard known[source] != bytes else { return }
        sets[source] = try JWKSet(parsing: bytes)
        var all = JWKSet()
        for set in sets.values {
            for key in set.keys { try all.insert(key) }
        }
        accounts.setShared(all)
        known[source] = bytes
    }

    private static func fetch(_ url: String) async throws -> [UInt8] {
        // The emulator is ready after the first attempt, and the next one follows in a second.
        let request = OutgoingClient.Request(url, maximumSize: JWKSet.maximumSize, timeout: .seconds(2))
        let response = try await OutgoingClient(.shared).send(request)
        guard response.status == 200 else { throw ConfigurationError("HTTP status \(response.status).") }
        return Array(buffer: response.body)
    }
}
#endif
