import ServiceSupport

/// A PKCS#11 module (OASIS PKCS #11 version 2.40): the functions of a shared library that signing needs.
///
/// All structures of the interface consist of machine words on the supported systems, so arrays of words replace them,
/// and no header is needed. A module is never unloaded: its own threads may run in it until exit.
struct PKCS11Module: Sendable {
    /// CK_ULONG, and all handles and flags.
    typealias Word = UInt
    typealias WordPointer = UnsafeMutablePointer<Word>

    private let activity: PKCS11Activity
    private let initialize: @convention(c) (WordPointer?) -> Word
    private let getSlotList: @convention(c) (UInt8, WordPointer?, WordPointer) -> Word
    private let getTokenInfo: @convention(c) (Word, UnsafeMutableRawPointer) -> Word
    private let openSession: @convention(c) (Word, Word, UnsafeRawPointer?, UnsafeRawPointer?, WordPointer) -> Word
    private let closeSession: @convention(c) (Word) -> Word
    private let login: @convention(c) (Word, Word, UnsafePointer<UInt8>, Word) -> Word
    private let findObjectsInit: @convention(c) (Word, WordPointer, Word) -> Word
    private let findObjects: @convention(c) (Word, WordPointer, Word, WordPointer) -> Word
    private let findObjectsFinal: @convention(c) (Word) -> Word
    private let getAttributeValue: @convention(c) (Word, Word, WordPointer, Word) -> Word
    private let signInit: @convention(c) (Word, WordPointer, Word) -> Word
    private let sign:
        @convention(c) (Word, UnsafePointer<UInt8>, Word, UnsafeMutablePointer<UInt8>, WordPointer) -> Word

    /// Creates a module by loading a library.
    ///
    /// - Throws: ``PKCS11Error`` when there is none at the path.
    init(path: String, activity: PKCS11Activity) throws(PKCS11Error) {
        self.activity = activity
        guard let library = activity.during("dlopen", { dlopen(path, RTLD_NOW | RTLD_LOCAL) }) else {
            throw PKCS11Error(
                "\(path) cannot be loaded as a PKCS#11 module. Check the path and the module's architecture."
            )
        }
        func function<Function>(_ name: String) throws(PKCS11Error) -> Function {
            guard let symbol = dlsym(library, name) else {
                throw PKCS11Error("\(path) is not a PKCS#11 module: \(name) is missing.")
            }
            // The standard gives the type of the function with this name, which the property has.
            return unsafeBitCast(symbol, to: Function.self)
        }
        initialize = try function("C_Initialize")
        getSlotList = try function("C_GetSlotList")
        getTokenInfo = try function("C_GetTokenInfo")
        openSession = try function("C_OpenSession")
        closeSession = try function("C_CloseSession")
        login = try function("C_Login")
        findObjectsInit = try function("C_FindObjectsInit")
        findObjects = try function("C_FindObjects")
        findObjectsFinal = try function("C_FindObjectsFinal")
        getAttributeValue = try function("C_GetAttributeValue")
        signInit = try function("C_SignInit")
        sign = try function("C_Sign")
    }

    /// Starts the module, unless that was done before.
    func start() throws(PKCS11Error) {
        // CK_C_INITIALIZE_ARGS with CKF_OS_LOCKING_OK: the module is used by several threads.
        var arguments: [Word] = [0, 0, 0, 0, 2, 0]
        try call("C_Initialize", or: Self.alreadyInitialized) { initialize(&arguments) }
    }

    func slot(ofTokenLabelled label: String) throws(PKCS11Error) -> Word {
        var count = Word(Self.maximumSlots)
        var slots = [Word](repeating: 0, count: Self.maximumSlots)
        try call("C_GetSlotList") { getSlotList(1, &slots, &count) }
        for slot in slots.prefix(Int(clamping: count)) {
            // CK_TOKEN_INFO begins with the label, 32 bytes padded with spaces; 512 bytes are more than it has.
            var info = [UInt8](repeating: 0, count: 512)
            guard activity.during("C_GetTokenInfo", { getTokenInfo(slot, &info) }) == 0 else { continue }
            if Array(info[..<32]) == Array((Array(label.utf8) + Array(repeating: 0x20, count: 32)).prefix(32)) {
                return slot
            }
        }
        throw PKCS11Error(
            "No token is labelled \(label). Check the label, and that the token is present.",
            value: 0xE0
        )
    }

    /// Opens a session and logs in.
    func session(in slot: Word, pin: [UInt8]) throws(PKCS11Error) -> Word {
        var session: Word = 0
        // CKF_SERIAL_SESSION, sufficient for signing: nothing is written.
        try call("C_OpenSession") { openSession(slot, 4, nil, nil, &session) }
        do throws(PKCS11Error) {
            // CKU_USER. The login is the application's: another session may have done it.
            try call("C_Login", or: Self.alreadyLoggedIn) { login(session, 1, pin, Word(pin.count)) }
            return session
        } catch {
            close(session)
            throw error
        }
    }

    func close(_ session: Word) {
        _ = activity.during("C_CloseSession") { closeSession(session) }
    }

    /// Returns the private RSA key with a label; there must be exactly one.
    func privateKey(labelled label: String, in session: Word) throws(PKCS11Error) -> Word {
        var keyClass = Word(3)
        var keyType = Word(0)
        var label = Array(label.utf8)
        var keys: [Word] = [0, 0]
        var count: Word = 0
        let size = Word(MemoryLayout<Word>.size)
        let labelSize = Word(label.count)
        try call("C_FindObjectsInit") {
            withUnsafeMutablePointer(to: &keyClass) { keyClass in
                withUnsafeMutablePointer(to: &keyType) { keyType in
                    label.withUnsafeMutableBytes { label in
                        // CKA_CLASS is CKO_PRIVATE_KEY, CKA_KEY_TYPE is CKK_RSA, CKA_LABEL.
                        var template: [Word] = [
                            0, Word(bitPattern: keyClass), size, 0x100, Word(bitPattern: keyType), size,
                            3, Word(bitPattern: label.baseAddress), labelSize,
                        ]
                        return findObjectsInit(session, &template, 3)
                    }
                }
            }
        }
        defer { _ = activity.during("C_FindObjectsFinal") { findObjectsFinal(session) } }
        try call("C_FindObjects") { findObjects(session, &keys, 2, &count) }
        guard count == 1 else {
            let what = count == 0 ? "no private RSA key" : "more than one private RSA key"
            throw PKCS11Error("The token has \(what) labelled \(String(decoding: label, as: UTF8.self)).")
        }
        return keys[0]
    }

    /// Returns the modulus (0x120) or the public exponent (0x122) of a key.
    func number(_ attribute: Word, of key: Word, in session: Word) throws(PKCS11Error) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1024)
        var size = Word(bytes.count)
        try call("C_GetAttributeValue") {
            bytes.withUnsafeMutableBytes { bytes in
                var template: [Word] = [attribute, Word(bitPattern: bytes.baseAddress), size]
                defer { size = template[2] }
                return getAttributeValue(session, key, &template, 1)
            }
        }
        guard size <= bytes.count else { throw PKCS11Error("The token does not expose the public key.") }
        return Array(bytes.prefix(Int(size)))
    }

    /// Returns the RS256 signature of a message.
    func signature(of message: [UInt8], with key: Word, in session: Word) throws(PKCS11Error) -> [UInt8] {
        // CK_MECHANISM: CKM_SHA256_RSA_PKCS without a parameter.
        var mechanism: [Word] = [0x40, 0, 0]
        try call("C_SignInit") { signInit(session, &mechanism, key) }
        var signature = [UInt8](repeating: 0, count: 1024)
        var size = Word(signature.count)
        try call("C_Sign") { sign(session, message, Word(message.count), &signature, &size) }
        return Array(signature.prefix(Int(clamping: size)))
    }

    /// More tokens than any machine has.
    private static let maximumSlots = 1024

    private static let alreadyInitialized: Word = 0x191
    private static let alreadyLoggedIn: Word = 0x100

    /// Calls a function, which must return CKR_OK or an equivalent value.
    private func call(_ function: String, or good: Word = 0, _ body: () -> Word) throws(PKCS11Error) {
        let value = activity.during(function, body)
        guard value == 0 || value == good else { throw PKCS11Error(function: function, value: value) }
    }
}
