import FleetToken
import Foundation
import Logging
import TestSupport
import TestTools
import Testing
import TokenMinting

@testable import ServiceSupport
@testable import TokenService

@Suite(.watchdog(seconds: 30))
struct DevelopmentModeTests {
    @Test
    func `Both listeners must have a loopback address`() throws {
        for host in ["127.0.0.1", "localhost", "::1"] { _ = try Self.mode(host: host, adminHost: host) }
        for host in ["0.0.0.0", "10.0.2.2", "example.com", "", "127.0.0", "localhost.", "LOCALHOST", "127.+1.0.1"] {
            #expect(throws: OperatorError.self) { try Self.mode(host: host) }
            #expect(throws: OperatorError.self) { try Self.mode(adminHost: host) }
        }
    }

    @Test
    func `A damaged account file is named`() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/account.json"
            try Data(#"{"client_email":"a@b"}"#.utf8).write(to: URL(fileURLWithPath: path))
            let mode = try Self.mode(keys: DevelopmentService.keys, serviceAccounts: [.driver: path])
            let error = await #expect(throws: OperatorError.self) {
                try await mode.service(logger: .init(label: "test"))
            }
            #expect(try #require(error).description.contains(path))
        }
    }

    @Test(arguments: ["%E8%A1%8C%E7%A8%8B-1", "KA%2001%20AB%201234", "a%26b"])
    func `An ID of another script or with spaces gets a token`(id: String) async throws {
        let status = try await DevelopmentService.run { port, _ in
            try await HTTPExchange.request("GET", "/token/consumer/\(id)", port: port).status
        }
        #expect(status == 200)
    }

    private static func mode(
        host: String = "127.0.0.1",
        adminHost: String = "127.0.0.1",
        keys: String = "keys",
        serviceAccounts: [TokenKind: String] = [:]
    ) throws -> DevelopmentMode {
        try DevelopmentMode(
            service: ListenAddress(host: host, port: 8080),
            admin: ListenAddress(host: adminHost, port: 9090),
            keysDirectory: keys,
            serviceAccounts: serviceAccounts,
            environment: [:]
        )
    }
}
