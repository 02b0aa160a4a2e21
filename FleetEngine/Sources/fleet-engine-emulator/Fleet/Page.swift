import SwiftProtobuf

/// A page of a list that is sorted by name; the token is the name of the last element before it.
struct Page<Element> {
    let elements: [Element]
    /// Empty after the last page.
    let nextToken: String

    /// Creates the page that follows a token.
    ///
    /// - Parameters:
    ///   - matches: All elements.
    ///   - name: The name of an element.
    ///   - size: How many a page has; 0 for 100.
    ///   - token: The token; empty for the first page.
    ///   - query: What a token is valid for.
    /// - Throws: ``EngineError`` if the size is negative or the token is invalid.
    private init(
        _ matches: some Sequence<Element>,
        by name: (Element) -> String,
        size: Int32,
        token: String,
        query: String
    ) throws(EngineError) {
        guard size >= 0 else { throw .invalid("page_size", "is negative") }
        var after = ""
        if !token.isEmpty {
            guard let bytes = Base64URL.decode(token.utf8) else {
                throw .refused(by: .pageTokenInvalid, "page_token", "is not a valid page token")
            }
            guard bytes.starts(with: query.utf8) else {
                throw .refused(by: .pageTokenInvalid, "page_token", "is that of a call with other parameters")
            }
            after = String(decoding: bytes.dropFirst(query.utf8.count), as: UTF8.self)
        }
        let size = size == 0 ? 100 : min(Int(size), 1000)
        let rest = matches.map { (name($0), $0) }.filter { after.isEmpty || $0.0 > after }.sorted { $0.0 < $1.0 }
        elements = rest.prefix(size).map(\.1)
        nextToken = rest.count > size ? Base64URL.encode((query + rest[size - 1].0).utf8) : ""
    }

    /// Creates the page of a request, whose token is valid for the same query alone.
    init(
        _ matches: some Sequence<Element>,
        by name: (Element) -> String,
        for request: some ListRequest
    ) throws(EngineError) {
        var query = request
        query.clearHeader()
        query.pageToken = ""
        try self.init(
            matches,
            by: name,
            size: request.pageSize,
            token: request.pageToken,
            query: query.fingerprint
        )
    }
}

/// A request for a page of a list.
protocol ListRequest: Message {
    var pageSize: Int32 { get }
    var pageToken: String { get set }
    mutating func clearHeader()
}

extension ProtoSearchTripsRequest: ListRequest {}
extension ProtoListVehiclesRequest: ListRequest {}
extension ProtoListTasksRequest: ListRequest {}
extension ProtoListDeliveryVehiclesRequest: ListRequest {}

extension Message {
    /// A text that is the same for the same fields (FNV-1a), to know a query again.
    fileprivate var fingerprint: String {
        let bytes: [UInt8] = (try? serializedBytes()) ?? []
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return String(hash, radix: 16) + " "
    }

    /// The names of the fields that are set.
    var setFields: [String] {
        var options = JSONEncodingOptions()
        options.preserveProtoFieldNames = true
        guard let bytes: [UInt8] = try? jsonUTF8Bytes(options: options), let json = try? JSON(parsing: bytes) else {
            return []
        }
        return json.members?.map(\.name) ?? []
    }
}
