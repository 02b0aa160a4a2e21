package import FleetToken

/// A file that holds one secret and nothing else, readable by its owner only.
package enum SecretFile {
    /// Reads a secret of at least so many bytes, fewer than 32 only where others choose it.
    ///
    /// CR and LF at its end are not part of it, however many there are; white space elsewhere is.
    ///
    /// - Throws: ``OperatorError`` that names the file and the fix.
    package static func read(_ path: String, minimumSize: Int = 32) throws(OperatorError) -> Secret {
        var bytes = try TrustedFile(path).read(isPrivate: true)
        guard !bytes.hasByteOrderMark else {
            throw OperatorError(
                "\(path) begins with a byte-order mark, which an editor has added. Save it without."
            )
        }
        while bytes.last == UInt8(ascii: "\n") || bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard bytes.count >= minimumSize else {
            throw OperatorError(
                "\(path) has less than \(minimumSize) bytes. Create one: (umask 077; openssl rand -hex 32 > \(path))"
            )
        }
        return Secret(bytes)
    }
}
