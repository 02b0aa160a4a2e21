@testable import TokenIssuance

/// A key is read whole or not at all; a file's lines are written again as they were read.
@Sendable func fuzzAPIKeys(_ bytes: [UInt8]) {
    if let key = APIKey(parsing: bytes) {
        precondition(APIKey.isID(key.id.utf8))
        precondition(APIKey.occurs(in: bytes[...]))
    }
    guard let file = try? APIKeyFile(parsing: bytes, path: "keys") else { return }
    for record in file.records {
        guard let again = try? APIKeyRecord(parsing: Array(record.line.utf8)[...]) else {
            preconditionFailure("What was written cannot be read.")
        }
        precondition(again == record)
    }
}
