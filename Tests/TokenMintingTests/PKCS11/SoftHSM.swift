import FleetToken
import Foundation
import JOSE
import TestSupport
import Testing

@testable import TokenMinting

/// A token in software, one for this process, since its module reads where it is when it is started.
struct SoftHSM {
    static let module = "/usr/lib/softhsm/libsofthsm2.so"
    static let pin = "73519284"
    static let shared = Task { try await SoftHSM() }

    private let folder: String

    private init() async throws {
        // It stays until the process ends, as the module does, which goes on reading there.
        folder = FileManager.default.temporaryDirectory.appending(path: "fleet-token-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let configuration = "\(folder)/softhsm2.conf"
        try Data("directories.tokendir = \(folder)\nlog.level = ERROR\n".utf8).write(to: URL(filePath: configuration))
        setenv("SOFTHSM2_CONF", configuration, 1)
        let pem = "\(folder)/key.pem"
        try Data(try RSAPrivateKey.generate().pem()).write(to: URL(filePath: pem))
        try run("--init-token", "--free", "--label", "fleet", "--so-pin", "87654321", "--pin", Self.pin)
        try run("--import", pem, "--token", "fleet", "--label", "driver", "--id", "a1", "--pin", Self.pin)
        try FileManager.default.removeItem(atPath: pem)
        try await PKCS11Library.at(Self.module).run(within: .seconds(60)) { try $0.start() }
        #if canImport(Glibc)
        // Its clean-up, registered by now, would run while sessions are closed. Programs end in this way, too.
        on_exit({ status, _ in _exit(status) }, nil)
        #endif
    }

    /// Runs SoftHSM's own tool.
    func run(_ arguments: String...) throws {
        let outcome = try ProgramRun("/usr/bin/softhsm2-util", arguments)
        try #require(outcome.status == 0, "\(outcome.output)")
    }

    /// Makes the module forget all sessions and logins, as when a device is taken away and put back.
    func reset() throws {
        let finalize = try function("C_Finalize", as: (@convention(c) (UnsafeRawPointer?) -> UInt).self)
        #expect(finalize(nil) == 0)
    }

    /// Sets another PIN.
    func changePIN(from old: String, to new: String) throws {
        let module = try PKCS11Module(path: Self.module, activity: PKCS11Activity(module: Self.module))
        try module.start()
        let openSession = try function(
            "C_OpenSession",
            as: (@convention(c) (UInt, UInt, UnsafeRawPointer?, UnsafeRawPointer?, UnsafeMutablePointer<UInt>) -> UInt)
                .self
        )
        let setPIN = try function(
            "C_SetPIN",
            as: (@convention(c) (UInt, UnsafePointer<UInt8>, UInt, UnsafePointer<UInt8>, UInt) -> UInt).self
        )
        var session: UInt = 0
        // CKF_SERIAL_SESSION and CKF_RW_SESSION.
        #expect(openSession(try module.slot(ofTokenLabelled: "fleet"), 6, nil, nil, &session) == 0)
        #expect(setPIN(session, Array(old.utf8), UInt(old.utf8.count), Array(new.utf8), UInt(new.utf8.count)) == 0)
        module.close(session)
    }

    private func function<Function>(_ name: String, as type: Function.Type) throws -> Function {
        let library = try #require(dlopen(Self.module, RTLD_NOW))
        return unsafeBitCast(try #require(dlsym(library, name)), to: type)
    }
}
