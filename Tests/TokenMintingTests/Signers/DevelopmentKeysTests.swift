import FleetToken
import Foundation
import JOSE
import TestSupport
import Testing
import TokenMinting

@testable import ServiceSupport

struct DevelopmentKeysTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var directory: String { folder.file("a/keys") }

    @Test
    func `A new key is for its owner only, in a folder that is not committed`() throws {
        let account = try DevelopmentKeys(directory: directory).account(for: .consumer)
        #expect(account.email == "consumer@development.invalid")
        #expect(account.keyID == account.key.publicKey.thumbprint)
        #expect(try TemporaryFolder.mode(of: "\(directory)/consumer.json") == 0o600)
        #expect(try TemporaryFolder.mode(of: directory) == 0o700)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory).sorted() == [".gitignore", "consumer.json"]
        )
    }

    @Test
    func `A key stays the same`() throws {
        let first = try DevelopmentKeys(directory: directory).account(for: .driver)
        let bytes = try TemporaryFolder.read("\(directory)/driver.json")
        let second = try DevelopmentKeys(directory: directory).account(for: .driver)
        #expect(second.keyID == first.keyID)
        #expect(second.key.publicKey == first.key.publicKey)
        #expect(try TemporaryFolder.read("\(directory)/driver.json") == bytes)
    }

    @Test
    func `Kinds share an account if they share a role`() throws {
        let keys = DevelopmentKeys(directory: directory)
        let accounts = try TokenKind.allCases.map { ($0.role, try keys.account(for: $0).keyID) }
        for (role, keyID) in accounts {
            for (otherRole, otherKeyID) in accounts { #expect((role == otherRole) == (keyID == otherKeyID)) }
        }
    }

    @Test
    func `Concurrent creators end with one key`() async throws {
        let directory = directory
        let keyIDs = try await withThrowingTaskGroup(of: String.self) { group in
            for kind in [TokenKind.deliveryConsumer, .deliveryTask, .deliveryConsumer, .deliveryTask] {
                group.addTask { try DevelopmentKeys(directory: directory).account(for: kind).keyID }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(keyIDs.count == 1)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory).sorted() == [
                ".gitignore", "delivery_consumer.json",
            ]
        )
    }

    @Test(
        arguments: ["", "{}", "garbage", #"{"client_email":"a@b","private_key_id":"k","private_key":"x"}"#]
    )
    func `A damaged file is named and stays`(content: String) throws {
        let path = try folder.write(content.utf8, to: "server.json")
        let keys = DevelopmentKeys(directory: folder.path)
        let error = try #require(throws: OperatorError.self) { try keys.account(for: .server) }
        #expect(error.description.contains(path))
        #expect(error.description.contains("Delete the file"))
        #expect(try TemporaryFolder.read(path) == Array(content.utf8))
    }

    @Test
    func `A folder in a file’s place is named, and a folder that cannot be created`() throws {
        let path = folder.file("server.json")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let file = try folder.write([], to: "file")
        for (directory, named) in [
            (folder.path, path), (file, file), ("\(file)/keys", "\(file)/keys"), ("/dev/null/keys", "/dev/null/keys"),
        ] {
            let keys = DevelopmentKeys(directory: directory)
            let error = try #require(throws: OperatorError.self) { try keys.account(for: .server) }
            #expect(error.description.contains(named))
        }
    }
}
