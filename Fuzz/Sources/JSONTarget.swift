import FleetToken

/// A value that was read is written and read again without loss.
@Sendable func fuzzJSON(_ bytes: [UInt8]) {
    guard let value = try? JSONParser.parse(bytes) else { return }
    var writer = JSONWriter()
    writer.value(value)
    precondition((try? JSONParser.parse(writer.bytes)) == value)
}
